import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const someone = 'someone@remote.example';

/** Delivers a mail to an inbox as a list or a forwarder does that keeps the Message-ID, and returns the message. */
const bringBack = async (
  messageId: string,
  inbox: Inbox,
  headers: Record<string, string> = {},
): Promise<Message> => {
  await sendMail(server.smtpPort, {
    from: inbox.address,
    to: someone,
    subject: server.freshName('again'),
    text: 'Hello.',
    messageId,
    headers,
    envelope: { from: 'forwarder@remote.example', to: inbox.address },
  });
  const { messages } = await server.client.messages.list({
    inbox_id: inbox.id,
    direction: 'inbound',
    limit: 1,
  });
  return messages[0] ?? expect.fail('The mail is not there.');
};

const send = (inbox: Inbox, to: string[], more: object = {}) =>
  server.client.messages.send({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hello.', ...more });

test('Messages 4: mail of an inbox that comes back to it is automatic mail in its thread, and a reply to it is 409', async () => {
  const inbox = await server.inbox();
  const sent = await send(inbox, [someone]);
  const returned = await bringBack(sent.message_id, inbox);
  expect(returned).toMatchObject({
    auto_submitted: true,
    message_id: sent.message_id,
    thread_id: sent.thread_id,
  });
  await catchApiError(server.client.messages.reply(returned.id, { text: 'Hello?' }), 'auto_reply_loop');
  expect((await bringBack(sent.message_id, inbox)).auto_submitted).toBe(true);
});

test('Messages 4: a note of an inbox to itself is ordinary mail, in To or in Bcc, with a plus tag, and when it comes by a list, too', async () => {
  const inbox = await server.inbox();
  const [local, domain] = inbox.address.split('@');
  const notes = [
    await send(inbox, [inbox.address]),
    await send(inbox, [`${local}+note@${domain}`]),
    await send(inbox, [someone], { bcc: [inbox.address] }),
  ];
  for (const note of notes) {
    const { messages } = await server.client.messages.list({
      thread_id: note.thread_id,
      direction: 'inbound',
    });
    expect(messages).toMatchObject([{ message_id: note.message_id, auto_submitted: false }]);
  }
  expect((await bringBack(notes[0]?.message_id ?? '', inbox)).auto_submitted).toBe(false);
});

test('Messages 4: mail between two inboxes, mail whose id only looks like ours, and mail with Delivered-To are ordinary mail', async () => {
  const inbox = await server.inbox();
  const other = await server.inbox();
  const sent = await send(inbox, [other.address, someone]);
  expect((await bringBack(sent.message_id, other)).auto_submitted).toBe(false);
  const forged = sent.message_id.replace(/.{6}@/, '000000@');
  expect((await bringBack(forged, inbox)).auto_submitted).toBe(false);
  const headers = { 'Delivered-To': inbox.address, 'X-Loop': inbox.address };
  expect((await bringBack('<1@remote.example>', inbox, headers)).auto_submitted).toBe(false);
});
