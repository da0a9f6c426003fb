/* Interface 11: every way of sending passes through the approval, and a held message is a message like others. */
import type { ApprovalSummary, DecisionResult } from '@postrider/contract/console';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
let owner: ConsoleBrowser;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  owner = await signedIn(server);
  const place = { workspaceId: server.id, level: 'key', subjectId: server.keyId } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
});
afterAll(() => server.stop());
beforeEach(async () => {
  inbox = await server.inbox();
});

const held = async (state = 'held') => {
  const { body } = await owner.request(`/approvals?state=${state}&inbox_id=${inbox.id}`);
  return body.approvals as ApprovalSummary[];
};
const decide = async (decision: 'approve' | 'refuse', shown: ApprovalSummary[], more = {}) => {
  const messages = shown.map(({ message_id, content_hash }) => ({ message_id, content_hash }));
  const body = { decision, messages, ...more };
  const answer = await owner.request('/approvals/decide', { method: 'POST', body });
  return (answer.body as { results: DecisionResult[] }).results;
};
const received = async (): Promise<Message> => {
  await sendMail(server.smtpPort, { from: 'ada@remote.example', to: inbox.address, subject: 'A question' });
  return (await server.client.messages.list({ inbox_id: inbox.id })).messages[0]!;
};
const send = (more: object = {}) =>
  server.client.messages.send({ inbox_id: inbox.id, to: 'ada@remote.example', subject: 'Hello', ...more });
const draft = (more: object = {}) =>
  server.client.drafts.create({
    inbox_id: inbox.id,
    to: ['ada@remote.example'],
    subject: 'Drafted',
    ...more,
  });

test('Interface 11 Approval: replies, forwards and drafts are held too, drafts also if a person sends them', async () => {
  const asked = await received();
  const ids = [
    (await send()).id,
    (await server.client.messages.reply(asked.id, { text: 'Yes.' })).id,
    (await server.client.messages.forward(asked.id, { to: 'bob@remote.example' })).id,
    (await server.client.drafts.send((await draft()).id)).id,
  ];
  const { body } = await owner.request(`/v1/drafts/${(await draft()).id}/send`, { method: 'POST', body: {} });
  expect(body.delivery_status).toBe('held');
  const scheduled = await draft({ scheduled_at: new Date(Date.now() - 1_000).toISOString() });
  const sent = await eventually('its time', async () => {
    const { message_id } = await server.client.drafts.get(scheduled.id);
    return message_id;
  });
  const waiting = (await held()).map(({ message_id }) => message_id);
  expect(waiting.sort()).toEqual([...ids, body.id, sent].sort());
  for (const id of waiting) expect((await server.client.messages.get(id)).delivery_status).toBe('held');
  expect(
    (
      await owner.request('/v1/messages', {
        method: 'POST',
        body: { inbox_id: inbox.id, to: ['ada@remote.example'], subject: 'By a person' },
      })
    ).body.delivery_status,
  ).toBe('sent');
});

test('Interface 11 Approval: a draft is being sent while it is held, and can be sent again once it is refused', async () => {
  const { id } = await draft({ attachments: [{ filename: 'a.txt', content: Buffer.from('one') }] });
  const sent = await server.client.drafts.send(id);
  expect((await server.client.drafts.get(id)).status).toBe('sending');
  const { drafts } = await server.client.drafts.list({ inbox_id: inbox.id, status: 'sending' });
  expect(drafts.map((each) => each.id)).toEqual([id]);
  await catchApiError(server.client.drafts.update(id, { subject: 'Changed' }), 'draft_already_sent');
  await catchApiError(server.client.drafts.delete(id), 'draft_already_sent');
  await decide('refuse', await held(), { reason: 'wrong tone' });
  expect(await server.client.drafts.get(id)).toMatchObject({ status: 'failed', failure: 'message_rejected' });
  await server.client.drafts.update(id, { subject: 'Nicer' });
  const again = await server.client.drafts.send(id);
  expect(again.id).not.toBe(sent.id);
  expect(await decide('approve', await held())).toMatchObject([{ message_id: again.id, state: 'approved' }]);
  await eventually('the end', async () => (await server.client.drafts.get(id)).status === 'sent');
  const { attachments } = await server.client.messages.get(again.id);
  expect(attachments.map(({ filename }) => filename)).toEqual(['a.txt']);
});

test('Interface 11 Approval: a held message is listed and counted once, and is withdrawn by its deletion', async () => {
  const before = (await server.client.account.get()).usage.emails_this_month;
  const { id, thread_id } = await send();
  const [shown] = await held();
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  expect(messages.map((each) => [each.id, each.delivery_status])).toEqual([[id, 'held']]);
  expect((await server.client.threads.get(thread_id)).messages?.[0]?.delivery_status).toBe('held');
  await server.client.messages.delete(id);
  expect(await held()).toEqual([]);
  expect(await decide('approve', [shown!])).toMatchObject([{ problem: 'not_found' }]);
  expect(await server.rows('select * from approvals where message_id = $1', [id])).toEqual([]);
  const other = await send();
  await decide('approve', await held());
  await eventually(
    'the mail',
    async () => (await server.client.messages.get(other.id)).delivery_status === 'sent',
  );
  expect((await server.client.account.get()).usage.emails_this_month).toBe(before + 2);
});

test('Interface 11 Approval: what is held goes with its thread and its inbox, and is not called rejected', async () => {
  const [one, two] = [await send(), await send()];
  const shown = await held();
  await server.client.threads.delete(one.thread_id);
  expect((await held()).map(({ message_id }) => message_id)).toEqual([two.id]);
  await server.client.inboxes.delete(inbox.id);
  expect(await held()).toEqual([]);
  expect((await decide('approve', shown)).map(({ problem }) => problem)).toEqual(['not_found', 'not_found']);
  await eventually('the removal', async () => {
    const left = await server.rows('select * from approvals where inbox_id = $1', [inbox.id]);
    return left.length === 0;
  });
  const events = await server.rows<{ event: string }>('select event from events where message_id = any($1)', [
    [one.id, two.id],
  ]);
  expect(events.map(({ event }) => event).sort()).toEqual([
    'message.deleted',
    'message.held',
    'message.held',
  ]);
});
