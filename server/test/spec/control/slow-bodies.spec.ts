/* Interface 11: what people take from a key holds at once, also for a request whose body was on its way. */

import { consoleApiPath, consoleHeader, workspaceHeader } from '@postrider/contract/console';
import {
  type ConsoleBrowser,
  makePerson,
  signedIn,
  type TestPerson,
} from '@postrider/testkit/http/console-browser.ts';
import { openRaw } from '@postrider/testkit/http/raw-http.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { rightsLimits } from '../../../src/http/callers.ts';
import { changeKey } from '../../../src/keys/change-key.ts';
import { endKey } from '../../../src/keys/end-key.ts';
import { setRole } from '../../../src/people/members.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

const usual = { ...rightsLimits };
let server: TestServer;
let team: TestWorkspace;
beforeAll(async () => {
  // Every body counts as slow, so that no test has to wait.
  rightsLimits.freshMs = -1;
  server = await startTestServer();
});
afterAll(async () => {
  Object.assign(rightsLimits, usual);
  await server.stop();
});
beforeEach(async () => {
  team = await server.workspace();
});

interface Begun {
  body: object;
  headers: Record<string, string>;
  /** Finds a row once the server knows the caller. */
  known: string;
}

/**
 * Sends a request but for the end of its body, until the server knows the caller. The result sends the rest, and resolves to the
 * response.
 */
const begin = async (path: string, { body, headers, known }: Begun) => {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: new URL(server.url).host,
    'content-type': 'application/json',
    'content-length': String(text.length),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const connection = await openRaw(server.url);
  connection.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text.slice(0, 5)}`);
  await eventually('the caller to be known', async () => (await server.rows(known)).length > 0);
  return async () => {
    connection.write(text.slice(5));
    await connection.ended;
    const answer = connection.received();
    return {
      status: Number(answer.split(' ', 2)[1]),
      body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, unknown>,
    };
  };
};

const slowly = async (path: string, body: object) => {
  await server.rows('update api_keys set last_used_at = null where id = $1', [team.keyId]);
  return begin(path, {
    body,
    headers: { authorization: `Bearer ${team.key}`, accept: 'application/json, text/event-stream' },
    known: `select from api_keys where id = '${team.keyId}' and last_used_at is not null`,
  });
};
const place = () => ({ workspaceId: team.id, id: team.keyId });
const hook = { url: 'http://127.0.0.1:9/hook', events: ['message.received'] };

test('Interface 11 Keys: a key that is revoked while a body arrives is refused', async () => {
  const finish = await slowly('/v1/webhooks', hook);
  await endKey(server.server.deps, place(), { actor: operator });
  expect(await finish()).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  expect(await server.rows('select from webhooks where workspace_id = $1', [team.id])).toEqual([]);
});

test('Interface 11 Keys: so it is by MCP, and a key that ended meanwhile', async () => {
  const finish = await slowly('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const now = server.server.deps.clock.now();
  await changeKey(server.server.deps, place(), { expiresAt: new Date(now.getTime() - 1) }, operator);
  expect(await finish()).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
});

test('Interface 11 Keys: a key that is narrowed while a body arrives acts with what it is left, also by a large body', async () => {
  const [mine, other] = [await server.inbox(team), await server.inbox(team)];
  const webhook = await slowly('/v1/webhooks', hook);
  const draft = await slowly('/v1/drafts', { inbox_id: other.id, text: 'x'.repeat(400_000) });
  await changeKey(server.server.deps, place(), { inboxIds: [mine.id] }, operator);
  expect(await webhook()).toMatchObject({ status: 201, body: { inbox_ids: [mine.id] } });
  expect(await draft()).toMatchObject({ status: 404, body: { param: 'inbox_id' } });
});

test('Interface 11 Keys: a key that may only read from now on changes nothing', async () => {
  const finish = await slowly('/v1/inboxes', { local_part: server.freshName() });
  await changeKey(server.server.deps, place(), { readOnly: true }, operator);
  expect(await finish()).toMatchObject({ status: 403, body: { error: 'sending_not_allowed', at: 'key' } });
});

test('Interface 11 Policy: a key that gets a policy while a body arrives makes nobody known by it', async () => {
  const finish = await slowly('/v1/lists', { kind: 'allow', direction: 'outbound', pattern: 'x.example' });
  const policy = { workspaceId: team.id, level: 'key', subjectId: team.keyId } as const;
  await setPolicy(server.server.deps, policy, { recipients: 'known' }, operator);
  expect(await finish()).toMatchObject({ status: 403, body: { error: 'sending_not_allowed' } });
});

const slowlyAs = async (
  { person, cookie }: ConsoleBrowser & { person: TestPerson },
  path: string,
  body: object,
) => {
  const mine = `person_id = '${person.id}'`;
  await server.rows(
    `update person_sessions set last_seen_at = created_at - interval '5 minutes' where ${mine}`,
  );
  return begin(consoleApiPath + path, {
    body,
    headers: { origin: server.url, cookie, [consoleHeader]: '1', [workspaceHeader]: team.id },
    known: `select from person_sessions where ${mine} and last_seen_at >= created_at`,
  });
};

test('Interface 11: a person whose role changes while a body arrives is signed out, and changes nothing', async () => {
  await makePerson(server, 'owner', team);
  const ctx = { ...server.server.deps, workspaceId: team.id, personId: null };
  const asked: [string, (current: string) => object][] = [
    ['/v1/webhooks', () => hook],
    ['/keys', () => ({ name: 'late' })],
    ['/me/password', (current) => ({ current, password: 'another password' })],
  ];
  for (const [path, bodyFor] of asked) {
    const person = await signedIn(server, 'owner', team);
    const finish = await slowlyAs(person, path, bodyFor(person.person.password));
    await setRole(ctx, person.person.id, 'member');
    expect(await finish()).toMatchObject({ status: 401, body: { error: 'not_signed_in' } });
  }
});
