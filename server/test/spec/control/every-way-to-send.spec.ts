/* Interface 11 Policy: nothing leaves by any route where people allow nothing, or have to approve it. The relay counts. */
import { contract, listRoutes, type PolicyLevel, type RouteEntry, routeSends } from '@postrider/contract';
import { routeRequests } from '@postrider/testkit/http/route-requests.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer, TestWorkspace } from '@postrider/testkit/servers/test-server.ts';
import { fillWorkspace, type WorkspaceThings } from '@postrider/testkit/servers/workspace-things.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

/** The routes that change something and cannot cause a mail to leave. A new route belongs here or says that it sends. */
const cannotSend = [
  'inboxes.create',
  'inboxes.update',
  'inboxes.delete',
  'messages.update',
  'messages.delete',
  'messages.check',
  'threads.delete',
  'labels.create',
  'labels.delete',
  'labels.assign',
  'labels.unassign',
  'rules.create',
  'rules.delete',
  'suppressions.create',
  'suppressions.delete',
  'drafts.delete',
  'domains.create',
  'domains.delete',
  'domains.verify',
  'domains.dmarc',
  'domains.subdomain',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.rotateSecret',
  'deliveries.redeliver',
];
const routes = listRoutes(contract);
const sending = routes.filter(({ route }) => routeSends(route));

let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;

beforeAll(async () => {
  running = await startServerWithSink({ env: { POSTRIDER_MAIL_DOMAIN: 'agents.test' } });
  ({ server, sink } = running);
});
afterAll(() => running.stop());

test('Interface 11 Policy: each route that changes something says that it sends, or is known not to', () => {
  const changing = routes.filter(({ route }) => route.method !== 'GET');
  const silent = changing.filter((entry) => !sending.includes(entry)).map(({ name }) => name);
  expect(silent.sort()).toEqual(cannotSend.toSorted());
  expect(sending.filter(({ route }) => route.method === 'GET')).toEqual([]);
});

interface Caller {
  owner: TestWorkspace;
  things: WorkspaceThings;
  /** A message of a simulated recipient. */
  echo: string;
  /** The `client_id` of a message that was sent before. */
  clientId: string;
  letter: { inbox_id: string; to: string; subject: string; text: string };
}

/** Fills a workspace while it may send. */
async function prepare(): Promise<Caller> {
  const owner = await server.workspace();
  const things = await fillWorkspace(server, owner);
  const { inbox, draft } = things.ids;
  await owner.client.drafts.update(draft, { subject: 'Hello' });
  const letter = { inbox_id: inbox, to: 'ada@remote.example', subject: 'Hello', text: 'Hello' };
  const clientId = server.freshName();
  await owner.client.messages.send({ ...letter, client_id: clientId });
  const simulated = `echo+${server.freshName()}@simulator.agents.test`;
  const { thread_id } = await owner.client.messages.send({ ...letter, to: simulated });
  const answer = await eventually('the answer', async () => {
    const { messages } = await owner.client.messages.list({ thread_id, direction: 'inbound' });
    return messages[0];
  });
  return { owner, things, echo: answer.id, clientId, letter };
}

/** Calls a route as it is in the harness, with one change of its body. */
function call({ owner, things }: Caller, { name, route }: RouteEntry, more: object = {}) {
  const { path = {}, query, body } = routeRequests[name]!((named) => things.ids[named]);
  const filled = route.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const sent = { method: route.method, key: owner.key, ...(body && { body: { ...body, ...more } }) };
  return server.request(filled + search, sent);
}

const soon = () => new Date().toISOString();

/** Calls everything that sends, in each of its forms. Returns the statuses, by what was called. */
async function sendEverything(caller: Caller): Promise<Record<string, unknown>> {
  const { owner, things, echo, letter } = caller;
  const { client } = owner;
  const answers: Record<string, unknown> = {};
  const note = async (what: string, sent: Promise<{ delivery_status?: string }>) => {
    answers[what] = await sent.then(
      ({ delivery_status }) => delivery_status,
      (error: { code?: string }) => error.code,
    );
  };
  for (const entry of sending) {
    const isDraft = entry.name === 'drafts.create' || entry.name === 'drafts.update';
    if (isDraft) continue;
    const { body, status } = await call(caller, entry);
    answers[entry.name] = status === 201 ? body.delivery_status : body.error;
  }
  await note('send with a client_id', client.messages.send({ ...letter, client_id: server.freshName() }));
  await note(
    'send to a simulated recipient',
    client.messages.send({ ...letter, to: 'success@simulator.agents.test' }),
  );
  await note(
    'send to an own inbox',
    client.messages.send({ ...letter, to: (await client.inboxes.get(letter.inbox_id)).address }),
  );
  await note(
    'send with cc and bcc',
    client.messages.send({ ...letter, cc: 'c@remote.example', bcc: 'b@remote.example' }),
  );
  await note(
    'reply to all',
    client.messages.reply(things.ids.message, { text: 'Hi', reply_all: true, cc: 'c@remote.example' }),
  );
  await note('reply to a simulated recipient', client.messages.reply(echo, { text: 'Hi', force: true }));
  await note(
    'forward with files',
    client.messages.forward(things.ids.message, { to: 'f@remote.example', include_attachments: true }),
  );
  const reply = await client.drafts.create({
    inbox_id: letter.inbox_id,
    reply_to_message_id: things.ids.message,
    text: 'Hi',
  });
  await note('send a draft that replies', client.drafts.send(reply.id, { client_id: server.freshName() }));
  return answers;
}

/** Has drafts sent at their time: one that is made so, one that is changed to it, and a reply. */
async function schedule({ owner, things, letter }: Caller): Promise<string[]> {
  const { client } = owner;
  const made = await client.drafts.create({ ...letter, scheduled_at: soon() });
  const changed = await client.drafts.create(letter);
  await client.drafts.update(changed.id, { scheduled_at: soon() });
  const reply = await client.drafts.create({
    inbox_id: letter.inbox_id,
    reply_to_message_id: things.ids.message,
    text: 'Hi',
    scheduled_at: soon(),
  });
  return [made.id, changed.id, reply.id];
}

/** Deletions last, of inboxes last of all, so that every other request finds what it names. */
const rank = ({ name, route }: RouteEntry) =>
  name === 'inboxes.delete' ? 2 : route.method === 'DELETE' ? 1 : 0;

const modes: [mode: 'never' | 'approve', level: PolicyLevel][] = [
  ['never', 'workspace'],
  ['never', 'inbox'],
  ['never', 'key'],
  ['approve', 'workspace'],
  ['approve', 'inbox'],
  ['approve', 'key'],
];
for (const [mode, level] of modes)
  test(`Interface 11 Policy: under ${mode} of the ${level} nothing leaves by any route`, async () => {
    const caller = await prepare();
    const { owner, things, clientId, letter } = caller;
    const subjectId = { workspace: owner.id, inbox: things.ids.inbox, key: owner.keyId }[level];
    await setPolicy(
      server.server.deps,
      { workspaceId: owner.id, level, subjectId },
      { send: mode },
      operator,
    );
    const before = sink.contents.length;
    expect(before).toBeGreaterThan(0);
    const answers = await sendEverything(caller);
    expect(Object.keys(answers).length).toBeGreaterThanOrEqual(12);
    const expected = mode === 'never' ? 'sending_not_allowed' : 'held';
    expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((what) => [what, expected])));
    for (const id of await schedule(caller)) {
      const draft = await eventually('its time', async () => {
        const found = await owner.client.drafts.get(id);
        return found.status !== 'scheduled' && found;
      });
      if (mode === 'never') expect(draft).toMatchObject({ status: 'failed', failure: 'sending_not_allowed' });
      else
        expect(await owner.client.messages.get(draft.message_id!)).toMatchObject({ delivery_status: 'held' });
    }
    expect(await owner.client.messages.send({ ...letter, client_id: clientId })).toMatchObject({
      idempotent: true,
    });
    for (const entry of routes
      .filter((each) => !sending.includes(each))
      .toSorted((a, b) => rank(a) - rank(b)))
      await call(caller, entry);
    expect(sink.contents.length - before).toBe(0);
  });
