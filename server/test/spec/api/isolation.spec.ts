/*
 * Nothing of another workspace can be seen, changed or told from what does not exist: every route of the contract is called
 * with another workspace's ids, in each place that takes one.
 */
import { contract, listRoutes, type RouteEntry } from '@postrider/contract';
import { takeSnapshot } from '@postrider/testkit/database/database-snapshot.ts';
import { invalidFields } from '@postrider/testkit/http/api-errors.ts';
import type { PlainAnswer } from '@postrider/testkit/http/plain-request.ts';
import {
  listPlaces,
  type Named,
  type RouteRequest,
  routeRequests,
} from '@postrider/testkit/http/route-requests.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import {
  fillWorkspace,
  unknownId,
  type WorkspaceThings,
} from '@postrider/testkit/servers/workspace-things.ts';
import { sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let theirs: TestWorkspace;
let own: WorkspaceThings;
let foreign: WorkspaceThings;

beforeAll(async () => {
  server = await startTestServer({ env: { POSTRIDER_RATE_LIMITS: 'off' } });
  theirs = await server.workspace();
  own = await fillWorkspace(server, server);
  foreign = await fillWorkspace(server, theirs);
});
afterAll(() => server.stop());

/** Deletions last, of inboxes last of all, so that every other request finds what it names. */
const inOrder = (routes: RouteEntry[]): RouteEntry[] => {
  const rank = ({ name, route }: RouteEntry) =>
    name === 'inboxes.delete' ? 2 : route.method === 'DELETE' ? 1 : 0;
  return routes.toSorted((a, b) => rank(a) - rank(b));
};
const routes = inOrder(listRoutes(contract));

const requestOf = ({ name }: RouteEntry): RouteRequest => {
  const request = routeRequests[name];
  if (!request) throw new Error(`${name} has no request in the harness: say there which ids it takes.`);
  return request;
};

const call = async ({ route, name }: RouteEntry, idAt: (place: number, named: Named) => string) => {
  let place = 0;
  const { path = {}, query, body } = requestOf({ name } as RouteEntry)((named) => idAt(place++, named));
  const filled = route.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return server.request(filled + search, { method: route.method, ...(body && { body }) });
};

/** Calls a route with the caller's own ids but for one place. */
const callWith = (entry: RouteEntry, place: number, id: (named: Named) => string) =>
  call(entry, (at, named) => (at === place ? id(named) : own.ids[named]));

/** An answer without what differs between any two. */
const comparable = ({ status, headers, body }: PlainAnswer) => {
  const { request_id: _, ...rest } = body;
  const kept = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name));
  return { status, rest, headers: kept };
};

/** Interface 4: an event that is no place in the log is a malformed request, since it is a cursor. */
const expectedError = (named: Named) =>
  named === 'event' ? { status: 400, error: 'invalid_request' } : { status: 404, error: 'not_found' };

const changes = ({ name, route }: RouteEntry): boolean =>
  /^(PATCH|DELETE)$/.test(route.method) || /\.(create|send|reply|forward)$/.test(name);

test('Conventions 5: every route has a request here, and nothing else has one', () => {
  expect(Object.keys(routeRequests).sort()).toEqual(routes.map(({ name }) => name).sort());
});

test("Conventions 5: another workspace's id is answered as an unknown one, in every place of every route", async () => {
  const asked: string[] = [];
  const before = await takeSnapshot(server);
  for (const entry of routes) {
    for (const [place, named] of listPlaces(requestOf(entry)).entries()) {
      const unknown = await callWith(entry, place, unknownId);
      const answer = await callWith(entry, place, () => foreign.ids[named]);
      const where = `${entry.name}, place ${place + 1} (${named})`;
      expect(comparable(answer), where).toEqual(comparable(unknown));
      expect(answer.text).not.toContain(theirs.name);
      expect({ status: answer.status, error: answer.body.error }, where).toEqual(expectedError(named));
      asked.push(where);
    }
    expect(await takeSnapshot(server), entry.name).toEqual(before);
  }
  console.log(`${asked.length} places of built routes, ${routes.length} routes`);
  expect(asked.length).toBeGreaterThan(10);
});

test('Interface 2 Ids: a malformed id is answered as an unknown one, in every place of every route', async () => {
  const before = await takeSnapshot(server);
  for (const entry of routes) {
    for (const [place, named] of listPlaces(requestOf(entry)).entries()) {
      // Labels that are put on a message may be named by any text.
      if (named === 'suppressed' || (named === 'label' && entry.name === 'messages.update')) continue;
      const unknown = comparable(await callWith(entry, place, unknownId));
      const known = own.ids[named];
      for (const malformed of [
        'x',
        `${known}0`,
        known.toUpperCase(),
        own.ids.inbox.replace('inb', 'key'),
        'é',
      ]) {
        const answer = await callWith(entry, place, () => malformed);
        expect(comparable(answer), `${entry.name} ${named} ${malformed}`).toEqual(unknown);
      }
    }
    expect(await takeSnapshot(server), entry.name).toEqual(before);
  }
});

test('Conventions 5: no list shows anything of another workspace', async () => {
  const secrets = [...Object.values(foreign.ids), theirs.id, theirs.name];
  for (const entry of routes.filter(({ name, route }) => route.method === 'GET' && /list$/.test(name))) {
    const { text } = await server.request(entry.route.path);
    for (const secret of secrets) expect(text, entry.name).not.toContain(secret);
  }
});

test("Interface 2 Lists: another workspace's cursor is a bad one", async () => {
  await server.inbox(theirs);
  await server.inbox(theirs);
  const { next_cursor: cursor } = await theirs.client.inboxes.list({ limit: 1 });
  expect(await invalidFields(server.client.inboxes.list({ cursor: cursor ?? '' }))).toEqual(['cursor']);
  await theirs.client.inboxes.list({ cursor: cursor ?? '' });
});

test('Interface 4 wait_seconds: mail of another workspace ends no wait', async () => {
  const inbox = await server.inbox(theirs);
  const waiting = server.client.messages.list({ from: 'eve@remote.example', wait_seconds: 1 });
  await sendMail(server.smtpPort, { from: 'eve@remote.example', to: inbox.address, text: 'Hi' });
  expect((await waiting).messages).toEqual([]);
});

test("Threads: mail that names another workspace's or another inbox's message starts a thread of its own", async () => {
  const { message_id } = await theirs.client.messages.get(foreign.ids.message);
  const sibling = await server.client.messages.get(own.ids.message);
  const inbox = await server.inbox();
  for (const named of [message_id, sibling.message_id]) {
    const lines = [`In-Reply-To: ${named}`, `References: ${named}`, 'Subject: Re: The plan', '', 'Yes.'];
    await sendLines(server.smtpPort, { from: 'eve@remote.example', to: inbox.address }, lines);
    const body = { inbox_id: inbox.id, to: ['ada@remote.example'], subject: 'Yes', in_reply_to: named };
    const sent = await server.client.messages.send(body);
    expect([foreign.ids.thread, own.ids.thread]).not.toContain(sent.thread_id);
  }
  expect((await theirs.client.threads.get(foreign.ids.thread)).message_count).toBe(1);
  expect((await server.client.threads.get(own.ids.thread)).message_count).toBe(1);
});

test('Interface 2: the same requests with own ids are valid', async () => {
  const refused: string[] = [];
  let before = await takeSnapshot(server);
  for (const entry of routes) {
    const answer = await call(entry, (_, named) => own.ids[named]);
    const after = await takeSnapshot(server);
    if (answer.status < 300 && changes(entry)) expect(after, entry.name).not.toEqual(before);
    before = after;
    // The inbox that was created before is on the domain.
    const isInUse = answer.body.error === 'domain_in_use';
    if (!isInUse && answer.status >= 300) refused.push(`${entry.name}: ${answer.status} ${answer.text}`);
  }
  expect(refused).toEqual([]);
});
