/* Interface 11: what a key may only propose is held with its bytes, and goes out exactly as people saw it, or not at all. */
import { createHash } from 'node:crypto';
import type { Approval, ApprovalSummary, DecisionResult } from '@postrider/contract/console';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { pause, resume } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let relayed: ServerWithSink;
let server: ServerWithSink['server'];
let owner: ConsoleBrowser;
let inbox: Inbox;

beforeAll(async () => {
  relayed = await startServerWithSink();
  server = relayed.server;
  owner = await signedIn(server);
  await setKeyPolicy({ send: 'approve' });
});
afterAll(() => relayed.stop());
beforeEach(async () => {
  inbox = await server.inbox();
});

const setKeyPolicy = (lines: Parameters<typeof setPolicy>[2]) => {
  const place = { workspaceId: server.id, level: 'key', subjectId: server.keyId } as const;
  return setPolicy(server.server.deps, place, lines, operator);
};
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const decide = async (
  decision: 'approve' | 'refuse',
  shown: ApprovalSummary[],
  more = {},
  browser = owner,
) => {
  const messages = shown.map(({ message_id, content_hash }) => ({ message_id, content_hash }));
  const body = { decision, messages, ...more };
  const answer = await browser.request('/approvals/decide', { method: 'POST', body });
  return (answer.body as { results: DecisionResult[] }).results;
};
const done = (state: string) => ({ problem: null, state, left_out: [] });
const statusesOf = async (id: string) => {
  const { recipients } = await server.client.messages.get(id);
  return Object.fromEntries(
    recipients.map(({ address, status, detail }) => [address, `${status} ${detail}`]),
  );
};
const untilDelivered = (id: string) =>
  eventually('the message to leave', async () => {
    const message = await server.client.messages.get(id);
    return ['sent', 'delivered'].includes(message.delivery_status) && message;
  });
const eventsOf = async (id: string) =>
  (await server.client.events.list({ limit: 100 })).events.filter(
    ({ event, message_ref }) => message_ref === id && event !== 'message.held',
  );
const actsOn = async (id: string) => {
  const { body } = await owner.request('/audit?limit=100');
  return (body.entries as { target: string; action: string; after: object }[]).filter(
    ({ target }) => target === id,
  );
};

const hold = (more: object = {}) =>
  server.client.messages.send({
    inbox_id: inbox.id,
    to: [`${server.freshName()}@remote.example`],
    subject: 'The offer',
    text: 'Here it is.',
    ...more,
  });
const show = async (id: string) => (await owner.request(`/approvals/${id}`)).body as unknown as Approval;

test('Interface 11 Approval: people see what would go out, to whom, and with which files', async () => {
  const content = Buffer.from('a plan');
  const { id } = await hold({
    to: ['ada@remote.example'],
    cc: ['Bob <bob@remote.example>'],
    bcc: ['eve@other.example'],
    headers: { 'X-Order': 'Größe 7' },
    attachments: [{ filename: 'plan.txt', content_type: 'text/plain', content }],
  });
  const shown = await show(id);
  expect(shown).toMatchObject({
    message_id: id,
    state: 'held',
    inbox_address: inbox.address,
    to: ['ada@remote.example'],
    cc: ['bob@remote.example'],
    bcc: ['eve@other.example'],
    attachments: 1,
    attachment_hashes: [sha256(content)],
    key: { id: server.keyId, name: 'test' },
    decided_by: null,
    answers: null,
    message: { delivery_status: 'held', body_text: 'Here it is.', attachments: [{ filename: 'plan.txt' }] },
  });
  expect(shown.headers.filter(({ is_added }) => is_added)).toEqual([
    { name: 'x-order', value: 'Größe 7', is_added: true },
  ]);
  expect(shown.correspondents.map(({ name }) => name)).toEqual([null, 'Bob', null]);
  const raw = await (await fetch(shown.raw.url)).text();
  expect(raw).toContain('filename=plan.txt');
  expect(raw.length).toBe(shown.raw.size_bytes);

  const { body } = await owner.request(`/approvals?state=held&inbox_id=${inbox.id}`);
  const [row, ...others] = body.approvals as ApprovalSummary[];
  expect(others).toEqual([]);
  expect(shown).toMatchObject({ ...row });
  expect((await owner.request(`/approvals?state=approved&inbox_id=${inbox.id}`)).body.approvals).toEqual([]);
});

test('Interface 11 Approval: who a recipient provably is comes from mail that the inbox received', async () => {
  await sendMail(server.smtpPort, {
    from: 'Ada <ada@remote.example>',
    to: inbox.address,
    replyTo: 'mallory@evil.example',
    subject: 'A question',
    text: 'What does it cost?',
  });
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  const asked = messages[0]!;
  const { id } = await server.client.messages.reply(asked.id, {
    text: 'Ten.',
    cc: ['ada@remote.example', 'stranger@new.example'],
  });
  const shown = await show(id);
  expect(shown.answers).toMatchObject({ id: asked.id, from_addr: 'ada@remote.example' });
  const { body } = await owner.request(`/approvals?inbox_id=${inbox.id}`);
  expect((body.approvals as ApprovalSummary[])[0]?.answers).toEqual({
    id: asked.id,
    from_addr: 'ada@remote.example',
    from_name: 'Ada',
    created_at: asked.created_at,
  });
  expect(shown.correspondents).toEqual([
    expect.objectContaining({
      address: 'mallory@evil.example',
      wrote_before: false,
      is_new: true,
      reply_to_of: 'ada@remote.example',
    }),
    {
      address: 'ada@remote.example',
      name: null,
      wrote_before: true,
      // The test's mail passes no DMARC.
      proven: false,
      verified_domain: null,
      last_wrote_at: asked.created_at,
      proven_at: null,
      is_new: false,
      reply_to_of: null,
    },
    expect.objectContaining({ address: 'stranger@new.example', wrote_before: false, is_new: true }),
  ]);
});

test('Interface 11 Approval: what goes out is bit for bit what was shown, and nothing before', async () => {
  const to = [`${server.freshName()}@remote.example`, `${server.freshName()}@remote.example`];
  const { id } = await hold({
    to,
    html: '<p>Here <b>it</b> is.</p>',
    attachments: [
      { filename: 'plan.bin', content_type: 'application/octet-stream', content: Buffer.alloc(90_000, 7) },
    ],
  });
  const shown = await show(id);
  const raw = Buffer.from(await (await fetch(shown.raw.url)).arrayBuffer());
  expect(to.flatMap((address) => relayed.sink.copiesFor(address))).toEqual([]);
  expect(await decide('approve', [shown])).toEqual([{ message_id: id, ...done('approved') }]);
  await untilDelivered(id);
  for (const address of to)
    expect(relayed.sink.copiesFor(address).map((copy) => sha256(copy.raw))).toEqual([sha256(raw)]);
  expect(await show(id)).toMatchObject({ state: 'approved', decided_by: { name: 'Ada' }, reason: null });
  const [act] = await actsOn(id);
  expect(act).toMatchObject({
    action: 'approval.approved',
    after: { by: 'console', content_hash: shown.content_hash, recipients: expect.arrayContaining(to) },
  });
});

test('Interface 11 Approval: a refused message is rejected once, with the reason for its sender', async () => {
  const client_id = server.freshName();
  const { id } = await hold({ to: ['ada@remote.example', 'bob@remote.example'], client_id });
  const repeated = await hold({ client_id });
  expect([repeated.id, repeated.idempotent, repeated.delivery_status]).toEqual([id, true, 'held']);
  const shown = await show(id);
  expect(await decide('refuse', [shown], { reason: 'the price is wrong' })).toMatchObject([done('refused')]);
  expect(await statusesOf(id)).toEqual({
    'ada@remote.example': 'rejected not_approved: the price is wrong',
    'bob@remote.example': 'rejected not_approved: the price is wrong',
  });
  const [event, ...others] = await eventually('the event', async () => {
    const events = await eventsOf(id);
    return events.length > 0 && events;
  });
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    event: 'message.rejected',
    recipient: null,
    reason: 'not_approved: the price is wrong',
  });
  expect(await catchApiError(hold({ client_id }), 'message_rejected')).toMatchObject({
    id,
    reason: 'not_approved: the price is wrong',
  });
  expect(await actsOn(id)).toMatchObject([
    { action: 'approval.refused', after: { reason: 'the price is wrong' } },
  ]);
  expect(await decide('approve', [shown])).toMatchObject([{ problem: 'decided', state: 'refused' }]);
});

test('Interface 11 Approval: several are decided at once, each by its own hash, and members may', async () => {
  const member = await signedIn(server, 'member');
  const ids = [(await hold()).id, (await hold()).id];
  const [one, two] = [await show(ids[0]!), await show(ids[1]!)];
  const unknown = ['msg_01m8h5t6t8ejabxgatp9jhjdns', 'x\0'].map((message_id) => ({ ...one, message_id }));
  const results = await decide(
    'approve',
    [{ ...one, content_hash: two.content_hash }, two, ...unknown],
    {},
    member,
  );
  expect(results.map(({ problem, state }) => [problem, state])).toEqual([
    ['changed', 'held'],
    [null, 'approved'],
    ['not_found', null],
    ['not_found', null],
  ]);
  expect(await decide('approve', [two])).toMatchObject([{ problem: 'decided', state: 'approved' }]);
  await untilDelivered(two.message_id);
  expect(await statusesOf(one.message_id)).toEqual({ [one.to[0]!]: 'held null' });
});

test('Interface 11 Approval: an approval dies with any change of what is stored', async () => {
  const { id } = await hold();
  const shown = await show(id);
  await server.rows(`update originals set raw = raw || '!'::bytea where message_id = $1`, [id]);
  expect(await decide('approve', [shown])).toMatchObject([{ problem: 'changed', state: 'held' }]);
  // Neither does a message leave that becomes due in any other way.
  await server.rows(`update message_recipients set status = 'queued', due_at = now() where message_id = $1`, [
    id,
  ]);
  await eventually(
    'the refusal',
    async () => (await server.client.messages.get(id)).delivery_status === 'rejected',
  );
  expect(relayed.sink.copiesFor(shown.to[0]!)).toEqual([]);
});

test('Interface 11 Approval: nobody decides after 72 hours, and the message is rejected', async () => {
  const { id } = await hold();
  const shown = await show(id);
  const heldMs = new Date(shown.expires_at).getTime() - new Date(shown.held_at).getTime();
  expect(heldMs).toBe(72 * 3_600_000);
  await server.rows(`update approvals set expires_at = held_at where message_id = $1`, [id]);
  const [first] = await decide('approve', [shown]);
  expect(first).toMatchObject({ problem: 'expired' });
  const reason = 'not_approved: nobody approved it within 72 hours';
  await eventually('the end', async () => (await show(id)).state === 'expired');
  expect(await statusesOf(id)).toEqual({ [shown.to[0]!]: `rejected ${reason}` });
  await eventually('its event', async () => (await eventsOf(id)).length === 1);
  expect(await eventsOf(id)).toMatchObject([{ event: 'message.rejected', recipient: null, reason }]);
  expect(await actsOn(id)).toMatchObject([{ action: 'approval.expired' }]);
});

test('Interface 11 Approval: recipients that may no longer get mail are left out, each with an event', async () => {
  const names = [1, 2, 3, 4].map(() => server.freshName());
  const [suppressed, blocked, known, kept] = names.map((name) => `${name}@remote.example`) as [
    string,
    string,
    string,
    string,
  ];
  const { id } = await hold({ to: [suppressed, blocked, known, kept] });
  const shown = await show(id);
  // A key with a policy writes neither suppressions nor rules.
  await owner.request('/v1/suppressions', { method: 'POST', body: { address: suppressed } });
  const block = { kind: 'block', direction: 'outbound', pattern: blocked };
  const rule = (await owner.request('/v1/lists', { method: 'POST', body: block })).body as { id: string };
  await setKeyPolicy({ send: 'approve', recipients: [suppressed, blocked, kept] });
  expect(await decide('approve', [shown])).toMatchObject([
    {
      state: 'approved',
      left_out: [
        { address: suppressed, reason: 'suppressed' },
        { address: blocked, reason: 'rule', rule_id: rule.id },
        { address: known, reason: 'policy' },
      ],
    },
  ]);
  await eventually('the last one', async () => relayed.sink.copiesFor(kept).length === 1);
  const statuses = await statusesOf(id);
  expect([suppressed, blocked, known].map((address) => statuses[address]?.split(':')[0])).toEqual(
    Array(3).fill('rejected left out at approval'),
  );
  await eventually('three events', async () => {
    const events = await eventsOf(id);
    return events.filter(({ event }) => event === 'message.rejected').length === 3;
  });

  const held = await hold({ to: [kept] });
  await setKeyPolicy({ send: 'never' });
  expect(await decide('approve', [await show(held.id)])).toMatchObject([
    { left_out: [{ address: kept, reason: 'policy' }] },
  ]);
  expect((await server.client.messages.get(held.id)).delivery_status).toBe('rejected');
  await setKeyPolicy({ send: 'approve' });
});

test('Interface 11 Approval: what is approved during a pause goes out after it', async () => {
  const { id } = await hold();
  const place = { level: 'inbox', workspaceId: server.id, subjectId: inbox.id } as const;
  await pause(server.server.deps, place, null, operator);
  const shown = await show(id);
  expect(await decide('approve', [shown])).toMatchObject([done('approved')]);
  await eventually('the wait', async () => {
    const [row] = await server.rows('select resume_at from message_recipients where message_id = $1', [id]);
    return row?.resume_at;
  });
  expect(relayed.sink.copiesFor(shown.to[0]!)).toEqual([]);
  await resume(server.server.deps, place, operator);
  await untilDelivered(id);
});
