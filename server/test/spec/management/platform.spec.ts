/* Interface 19: a platform and a team work by the management API alone, without a session and without the command line. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { makeOperatorToken, makeToken } from '@postrider/testkit/http/management-requests.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { APIError, Postrider } from 'postrider';
import { type Approval, Management } from 'postrider/management';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A message as the chat shows it, and what the person there taps. */
interface Shown {
  to: string[];
  subject: string;
  text: string | null;
}

let relayed: ServerWithSink;
let server: ServerWithSink['server'];
let chat: Server;
const posts: Shown[] = [];

beforeAll(async () => {
  relayed = await startServerWithSink();
  server = relayed.server;
  // The chat of a team, where Ada approves what is for her and refuses the rest.
  chat = createServer(async (req, res) => {
    const shown = (await json(req)) as Shown;
    posts.push(shown);
    const decision = shown.to.every((address) => address.startsWith('ada')) ? 'approve' : 'refuse';
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ decision, by: 'Ada (U17)' }));
  });
  await once(chat.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  chat.close();
  await relayed.stop();
});

const askInChat = async ({ to, subject, message }: Approval) => {
  const { port } = chat.address() as AddressInfo;
  const body = JSON.stringify({ to, subject, text: message.body_text });
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
  return (await answer.json()) as { decision: 'approve' | 'refuse'; by: string };
};

/** Decides about everything that is held, as the people in the chat say. */
const decideInChat = async (manager: Management) => {
  const states: Record<string, string | null> = {};
  for await (const { message_id } of manager.approvals.list({ state: 'held' })) {
    const shown = await manager.approvals.get(message_id);
    const { decision, by } = await askInChat(shown);
    const { content_hash, subject } = shown;
    const messages = [{ message_id, content_hash }];
    const { results } = await manager.approvals.decide({ decision, messages, decided_by: by });
    states[subject] = results[0]?.state ?? null;
  }
  return states;
};

test('Interface 19: a platform makes a workspace with a limited key, and its chat decides about what is sent', async () => {
  const token = await makeOperatorToken(server);
  const platform = new Management({ token, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const { id } = await platform.workspaces.create({ name: server.freshName('customer'), plan: 'pro' });
  const customer = platform.withWorkspace(id);
  const own = await customer.keys.create({ name: 'platform' });
  const provision = new Postrider({ apiKey: own.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const inbox = await provision.inboxes.create({ local_part: server.freshName('desk') });
  await customer.control.setPolicy('inbox', inbox.id, { lines: { send: 'approve' } });
  const { key } = await customer.keys.create({
    name: 'agent',
    inbox_ids: [inbox.id],
    policy: { per_day: 20 },
  });
  expect(await customer.control.effective({ inbox_id: inbox.id })).toMatchObject({ send: 'approve' });

  const agent = new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const send = (to: string, subject: string) =>
    agent.messages.send({ inbox_id: inbox.id, to, subject, text: `For ${to}` });
  const [wanted, unwanted] = [
    await send('ada@remote.example', 'Yes'),
    await send('eve@remote.example', 'No'),
  ];
  expect([wanted.delivery_status, unwanted.delivery_status]).toEqual(['held', 'held']);

  expect(await decideInChat(customer)).toEqual({ Yes: 'approved', No: 'refused' });
  expect(posts.map(({ text }) => text?.trim())).toEqual(['For eve@remote.example', 'For ada@remote.example']);
  await agent.messages.waitForDelivery(wanted);
  expect(relayed.sink.copiesFor('ada@remote.example')).toHaveLength(1);
  expect(relayed.sink.copiesFor('eve@remote.example')).toHaveLength(0);
  const decided = await server.rows(
    `select action, actor_kind, after->>'by' as by, after->>'decided_by' as decided_by from audit_entries
     where workspace_id = $1 and action like 'approval.%' order by action`,
    [id],
  );
  const beside = { actor_kind: 'token', by: 'management', decided_by: 'Ada (U17)' };
  expect(decided).toEqual([
    { action: 'approval.approved', ...beside },
    { action: 'approval.refused', ...beside },
  ]);
});

test("Interface 19: an agent's key decides nothing, and what was not shown is not approved", async () => {
  const { token } = await makeToken(server, { rights: ['approvals', 'policies'] });
  const manager = new Management({ token, baseURL: `${server.url}/v1`, maxRetries: 0 });
  await manager.control.setPolicy('workspace', server.id, { lines: { send: 'approve' } });
  const inbox = await server.inbox();
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: 'bob@remote.example',
    subject: 'x',
  });
  const { content_hash } = await manager.approvals.get(id);
  const decision = (more: object = {}) => ({
    decision: 'approve' as const,
    messages: [{ message_id: id, content_hash }],
    decided_by: 'Ada',
    ...more,
  });
  const agent = new Management({ token: server.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  await expect(agent.approvals.decide(decision())).rejects.toMatchObject({
    status: 401,
    code: 'invalid_token',
  });
  for (const body of [
    { decided_by: undefined },
    { decided_by: '' },
    { messages: [] },
    { messages: [{ message_id: id }] },
    { all: true },
  ])
    await expect(manager.approvals.decide(decision(body) as never)).rejects.toMatchObject({ status: 400 });
  const other = [{ message_id: id, content_hash: '0'.repeat(64) }];
  const { results } = await manager.approvals.decide(decision({ messages: other }));
  expect(results).toMatchObject([{ problem: 'changed', state: 'held' }]);
  expect(relayed.sink.copiesFor('bob@remote.example')).toHaveLength(0);
  const refused = await manager.keys.list().then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(APIError);
  expect(refused).toMatchObject({ status: 403, code: 'right_missing', right: 'keys' });
});
