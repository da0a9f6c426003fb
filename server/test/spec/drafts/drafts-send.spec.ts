import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Draft, Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink({ clock, env: { POSTRIDER_RATE_LIMITS: 'off' } });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const address = () => `${server.freshName('rcpt')}@remote.example`;
const draftTo = (to: string, more: object = {}): Promise<Draft> =>
  server.client.drafts.create({ inbox_id: inbox.id, to: [to], subject: 'Hello', text: 'Hi.', ...more });

/** A mail that came in, to be answered. */
const receive = async (headers: Record<string, string> = {}, from = 'ada@remote.example') => {
  const subject = server.freshName('subject');
  await sendMail(server.smtpPort, { from, to: inbox.address, subject, text: 'Hi', headers });
  const { messages } = await server.client.messages.list({ subject });
  return messages[0] ?? expect.fail('The mail is not there.');
};

describe('sending a draft', () => {
  test('Drafts POST /drafts/{id}/send: answers as POST /messages, and the draft is sent and names its message', async () => {
    const { drafts, messages } = server.client;
    const [to, cc, bcc] = [address(), address(), address()];
    const made = await draftTo(`Ada <${to}>`, { cc: [cc], bcc: [bcc], html: '<p>Hi.</p>' });
    const { data: receipt, response } = await drafts.send(made.id).withResponse();
    expect(response.status).toBe(201);
    expect(receipt).toMatchObject({ idempotent: false, dropped: [], delivery_status: 'sent' });
    expect(await drafts.get(made.id)).toMatchObject({
      status: 'sent',
      message_id: receipt.id,
      failure: null,
    });
    const message = await messages.get(receipt.id);
    expect(message).toMatchObject({ to_addrs: [to], cc_addrs: [cc], bcc_addrs: [bcc], subject: 'Hello' });
    expect(message).toMatchObject({ body_text: 'Hi.', body_html: '<p>Hi.</p>', inbox_id: inbox.id });
    for (const each of [to, cc, bcc]) expect(sink.copiesFor(each)).toHaveLength(1);
    expect(sink.copiesFor(to)[0]?.raw.toString()).toContain(`To: Ada <${to}>`);
  });

  test('Interface 3 Draft: a sent one is 409 draft_already_sent, or 200 with the original for the client_id of the send', async () => {
    const { drafts } = server.client;
    const made = await draftTo(address());
    const client_id = server.freshName();
    const first = await drafts.send(made.id, { client_id });
    const again = await drafts.send(made.id, { client_id }).withResponse();
    expect([again.response.status, again.data]).toEqual([200, { ...first, idempotent: true }]);
    await catchApiError(drafts.send(made.id, { client_id: server.freshName() }), 'draft_already_sent');
    const plain = await server.request(`/v1/drafts/${made.id}/send`, { method: 'POST' });
    expect([plain.status, plain.body.error]).toEqual([409, 'draft_already_sent']);
    // A draft goes out once for ever, so what it was sent with stands for it after its 24 hours, too.
    clock.advance(25 * 3_600_000);
    expect((await drafts.send(made.id, { client_id })).id).toBe(first.id);
    await catchApiError(drafts.update(made.id, { subject: 'New' }), 'draft_already_sent');
    expect(sink.copiesFor(made.to[0] ?? '')).toHaveLength(1);
  });

  test('Interface 4 client_id: of another message it answers that one, and the draft stays as it was', async () => {
    const { drafts, messages } = server.client;
    const client_id = server.freshName();
    const body = { inbox_id: inbox.id, to: [address()], subject: 's', client_id };
    const sent = await messages.send(body);
    const made = await draftTo(address());
    expect(await drafts.send(made.id, { client_id })).toEqual({ ...sent, idempotent: true, differs: true });
    expect(await drafts.get(made.id)).toEqual(made);
    const draft = await draftTo(address());
    const other = server.freshName();
    const receipt = await drafts.send(draft.id, { client_id: other });
    expect(await messages.send({ ...body, client_id: other })).toEqual({
      ...receipt,
      idempotent: true,
      differs: true,
    });
  });

  test('Interface 3 Draft: to and subject are needed only when it is sent, and what is refused stays as it was', async () => {
    const { drafts } = server.client;
    const suppressed = address();
    await running.suppress(server.id, suppressed);
    const bare = await drafts.create({ inbox_id: inbox.id, cc: [address()] });
    expect(await invalidFields(drafts.send(bare.id))).toEqual(['to', 'subject']);
    expect(await drafts.get(bare.id)).toEqual(bare);
    const blocked = await draftTo(suppressed, { scheduled_at: '2999-01-01T00:00:00Z' });
    await catchApiError(drafts.send(blocked.id), 'no_deliverable_recipients');
    expect(await drafts.get(blocked.id)).toEqual(blocked);
    const fixed = await drafts.update(blocked.id, { to: [address(), suppressed], subject: '' });
    expect(await drafts.send(fixed.id)).toMatchObject({
      dropped: [{ address: suppressed, reason: 'suppressed' }],
    });
    // Sent by hand it is no longer sent at its time.
    expect(await drafts.get(fixed.id)).toMatchObject({ status: 'sent', scheduled_at: null });
  });

  test('Interface 3 Draft: while it is being sent it can be neither changed nor deleted; once sent it can be deleted', async () => {
    const { drafts, messages } = server.client;
    const made = await draftTo(address());
    const answered = Promise.withResolvers<void>();
    sink.script({ at: 'dot', recipient: made.to[0] ?? '', until: answered.promise });
    const sending = drafts.send(made.id);
    await eventually('the message', async () => sink.copiesFor(made.to[0] ?? '').length > 0);
    expect(await drafts.get(made.id)).toMatchObject({ status: 'sending' });
    expect((await drafts.list({ status: 'sending' })).drafts.map(({ id }) => id)).toEqual([made.id]);
    await catchApiError(drafts.update(made.id, { subject: 'New' }), 'draft_already_sent');
    await catchApiError(drafts.delete(made.id), 'draft_already_sent');
    await catchApiError(drafts.send(made.id), 'draft_already_sent');
    answered.resolve();
    const { id } = await sending;
    expect((await drafts.get(made.id)).status).toBe('sent');
    await drafts.delete(made.id);
    await catchApiError(drafts.get(made.id), 'not_found');
    expect((await messages.get(id)).delivery_status).toBe('sent');
  });

  test('Interface 3 Draft: one whose message the provider rejected has failed, and can be edited and sent again', async () => {
    const { drafts } = server.client;
    const made = await draftTo(address());
    const client_id = server.freshName();
    sink.script({ at: 'data', recipient: made.to[0] ?? '', reply: '554 5.7.1 No', times: 1 });
    const { id } = await catchApiError(drafts.send(made.id, { client_id }), 'message_rejected');
    const failed = await drafts.get(made.id);
    expect(failed).toMatchObject({ status: 'failed', failure: 'message_rejected', message_id: id });
    await catchApiError(drafts.send(made.id, { client_id }), 'message_rejected', { id });
    const edited = await drafts.update(made.id, { text: 'Better.' });
    expect(edited).toMatchObject({ status: 'draft', failure: null, message_id: null });
    const receipt = await drafts.send(made.id, { client_id: server.freshName() });
    expect(receipt.id).not.toBe(id);
    expect(await drafts.get(made.id)).toMatchObject({ status: 'sent', message_id: receipt.id });
    expect(sink.copiesFor(made.to[0] ?? '')).toHaveLength(1);
  });

  test('Interface 3 Draft: one of several recipients that was rejected makes no failed draft', async () => {
    const to = [address(), address()];
    const made = await draftTo(to[0] ?? '', { to });
    sink.script({ at: 'data', recipient: to[0] ?? '', reply: '554 5.7.1 No' });
    await server.client.drafts.send(made.id);
    expect(await server.client.drafts.get(made.id)).toMatchObject({ status: 'sent', failure: null });
  });
});

describe('a draft that replies', () => {
  test('Draft reply_to_message_id: recipients, subject and threading headers come from the original', async () => {
    const { drafts, messages } = server.client;
    const original = await receive({
      'Reply-To': 'desk@remote.example',
      References: '<first@remote.example>',
    });
    const made = await drafts.create({ inbox_id: inbox.id, reply_to_message_id: original.id, text: 'Yes.' });
    const { id, thread_id } = await drafts.send(made.id);
    expect(thread_id).toBe(original.thread_id);
    expect(await messages.get(id)).toMatchObject({
      to_addrs: ['desk@remote.example'],
      subject: `Re: ${original.subject}`,
      in_reply_to: original.message_id,
      references: ['<first@remote.example>', original.message_id],
    });
  });

  test('Draft reply_to_message_id: what the draft names itself goes before the original, and copies are added', async () => {
    const { drafts, messages } = server.client;
    const original = await receive();
    const [to, cc] = [address(), address()];
    const own = await drafts.create({
      inbox_id: inbox.id,
      reply_to_message_id: original.id,
      to: [to],
      subject: 'Something else',
    });
    const sent = await messages.get((await drafts.send(own.id)).id);
    expect(sent).toMatchObject({ to_addrs: [to], subject: 'Something else', thread_id: original.thread_id });
    expect(sent.in_reply_to).toBe(original.message_id);
    const copied = await drafts.create({
      inbox_id: inbox.id,
      reply_to_message_id: original.id,
      cc: [cc, original.from_addr],
    });
    const reply = await messages.get((await drafts.send(copied.id)).id);
    expect(reply).toMatchObject({ to_addrs: [original.from_addr], cc_addrs: [cc] });
  });

  test('Interface 3 Draft: a reply to an automatic message is 409 auto_reply_loop, and the draft stays', async () => {
    const { drafts } = server.client;
    const original = await receive({ 'Auto-Submitted': 'auto-replied' });
    const made = await drafts.create({ inbox_id: inbox.id, reply_to_message_id: original.id, text: 'Yes.' });
    await catchApiError(drafts.send(made.id), 'auto_reply_loop');
    expect(await drafts.get(made.id)).toEqual(made);
  });

  test('Interface 3 Draft: a reply to somebody suppressed has no deliverable recipients', async () => {
    const from = address();
    const original = await receive({}, from);
    await running.suppress(server.id, from);
    const { drafts } = server.client;
    const made = await drafts.create({ inbox_id: inbox.id, reply_to_message_id: original.id });
    const blocked = [{ address: from, reason: 'suppressed' }];
    await catchApiError(drafts.send(made.id), 'no_deliverable_recipients', { blocked });
  });
});
