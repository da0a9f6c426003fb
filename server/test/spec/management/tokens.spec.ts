/* Interface 19: how owners make, see and revoke admin tokens. */
import { createHash } from 'node:crypto';
import type { AdminToken, AuditEntry, NewAdminToken } from '@postrider/contract/console';
import { consoleLimits } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { makeOperatorToken, makeToken, manage } from '@postrider/testkit/http/management-requests.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  joinTestServer,
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let server: TestServer;
let own: TestWorkspace;
let owner: ConsoleBrowser & { person: TestPerson };

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  own = await server.workspace();
  owner = await signedIn(server, 'owner', own);
});

const dayMs = 86_400_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const create = (body: object) =>
  owner.request('/admin-tokens', {
    method: 'POST',
    body: { name: 'platform', rights: ['keys'], expires_at: inMs(dayMs), ...body },
  });
const list = async () => (await owner.request('/admin-tokens')).body.admin_tokens as AdminToken[];
const newestEntry = async () =>
  ((await owner.request('/audit?limit=1')).body.entries as AuditEntry[])[0] as AuditEntry;

/** Returns the tables that have a text, also as bytes. */
const tablesWith = async (text: string) => {
  const tables = await server.rows<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const parts = tables.map(
    ({ name }) => `(select '${name}' as name from "${name}" t
      where strpos(t::text, $1) > 0 or strpos(t::text, encode($1::bytea, 'hex')) > 0 limit 1)`,
  );
  const found = await server.rows<{ name: string }>(parts.join(' union all '), [text]);
  return found.map(({ name }) => name);
};

test('Interface 19 Tokens: are shown once, stored as a hash, and acts with them are audited', async () => {
  const { status, body } = await create({ rights: ['policies', 'keys', 'keys'] });
  const made = body as unknown as NewAdminToken;
  expect(status).toBe(201);
  expect(made.token).toMatch(/^pr_admin_[0-9A-Za-z]{43}$/);
  expect(made.id).toMatch(/^adm_[0-9a-z]{26}$/);
  expect(made).toMatchObject({
    name: 'platform',
    rights: ['keys', 'policies'],
    created_by: { id: owner.person.id },
    last_used_at: null,
    revoked_at: null,
    is_backed: true,
  });
  const [stored] = await server.rows(
    "select encode(token_hash, 'hex') as hash from admin_tokens where id = $1",
    [made.id],
  );
  expect(stored).toEqual({ hash: createHash('sha256').update(made.token).digest('hex') });
  expect(await newestEntry()).toMatchObject({
    action: 'admin_token.created',
    actor: { kind: 'person', id: owner.person.id },
    target: made.id,
    after: { name: 'platform', rights: ['keys', 'policies'] },
  });
  const key = await manage(server, made.token, '/keys', { method: 'POST', body: { name: 'agent' } });
  expect([key.status, key.body.created_by]).toMatchObject([201, { id: owner.person.id }]);
  expect(await newestEntry()).toMatchObject({
    action: 'key.created',
    actor: { kind: 'token', id: made.id, name: 'platform' },
    target: key.body.id,
    request_id: key.headers.get('x-request-id'),
  });
  const { token: _, ...shown } = made;
  const used = await eventually('the last use', async () => {
    const [found] = await list();
    return found?.last_used_at ? found : null;
  });
  expect({ ...used, last_used_at: null }).toEqual(shown);
  expect(await tablesWith(made.token.slice(-20))).toEqual([]);
  expect(await tablesWith(made.name)).toContain('admin_tokens');
});

test('Interface 19 Tokens: stop at the request after they are revoked', async () => {
  const made = (await create({})).body as unknown as NewAdminToken;
  expect((await manage(server, made.token, '/keys')).status).toBe(200);
  const revoke = () => owner.request(`/admin-tokens/${made.id}/revoke`, { method: 'POST', body: {} });
  const revoked = await revoke();
  expect(revoked.body).toMatchObject({ id: made.id, revoked_at: expect.any(String) });
  const refused = await manage(server, made.token, '/keys');
  expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token']);
  expect(await newestEntry()).toMatchObject({ action: 'admin_token.revoked', target: made.id });
  expect((await revoke()).body).toEqual(revoked.body);
  const other = await signedIn(server, 'owner', await server.workspace());
  const foreign = await other.request(`/admin-tokens/${made.id}/revoke`, { method: 'POST', body: {} });
  expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);
});

test('Interface 19 Tokens: say when their maker is no owner, and work for an owner alone', async () => {
  const other = await signedIn(server, 'owner', own);
  const { id, token } = await makeToken(server, { workspace: own, personId: other.person.id });
  await owner.request(`/members/${other.person.id}`, { method: 'PATCH', body: { role: 'member' } });
  expect((await manage(server, token, '/keys')).status).toBe(401);
  expect((await list()).find((one) => one.id === id)).toMatchObject({ is_backed: false, revoked_at: null });
});

test.each([
  ['without rights', { rights: [] }, 'rights'],
  ['with a right that there is not', { rights: ['mail'] }, 'rights.0'],
  ['without an end', { expires_at: null }, 'expires_at'],
  ['with an end that has passed', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ['with an end after more than a year', { expires_at: inMs(366 * dayMs) }, 'expires_at'],
  ['without a name', { name: ' ' }, 'name'],
])('Interface 19 Tokens: there is none %s', async (_, body, path) => {
  const answer = await create(body);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  expect(answer.body.issues).toMatchObject([{ path }]);
});

test('Interface 19 Tokens: a workspace has at most 100 in force', async () => {
  const limit = consoleLimits.adminTokensPerWorkspaceMax;
  const first = (await create({})).body.id;
  await server.rows(
    `insert into admin_tokens select id || n, workspace_id, token_hash || decode(lpad(to_hex(n), 4, '0'), 'hex'), hint, name,
       rights, created_by, created_at, expires_at, null, null
     from admin_tokens, generate_series(1, $2) n where id = $1`,
    [first, limit - 1],
  );
  const refused = await create({});
  expect([refused.status, refused.body.error, refused.body.limit]).toEqual([409, 'limit_reached', limit]);
  await owner.request(`/admin-tokens/${first}/revoke`, { method: 'POST', body: {} });
  expect((await create({})).status).toBe(201);
});

test('Interface 19: rates are those of the plan, beside those of keys', async () => {
  const limited = await startTestServer({
    env: {
      POSTRIDER_RATE_LIMITS: 'on',
      POSTRIDER_PLANS: '{"business": {"requests_per_second": 1, "requests_burst": 3}}',
    },
  });
  try {
    const { token } = await makeToken(limited);
    const ask = () => manage(limited, token, '/keys');
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('3');
    const last = answers.find(({ status }) => status === 429);
    expect(last?.body).toMatchObject({ error: 'rate_limited', reason: 'requests' });
    expect(last?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await limited.request('/v1/account')).status).toBe(200);
    for (const one of [token, await makeOperatorToken(limited)]) {
      const unknown = () => manage(limited, one, '/keys', { workspace: 'wsp_unknown' });
      const statuses = (await Promise.all(Array.from({ length: 20 }, unknown))).map(({ status }) => status);
      expect([...new Set(statuses)]).toContain(429);
    }
  } finally {
    await limited.stop();
  }
});

test('Interface 19: POSTRIDER_MANAGEMENT=off has no such paths', async () => {
  const closed = await startTestServer({ env: { POSTRIDER_MANAGEMENT: 'off' } });
  try {
    const { token } = await makeToken(closed);
    for (const path of ['/keys', '/nothing']) {
      const answer = await manage(closed, token, path);
      expect([answer.status, answer.body.error, answer.body.param]).toEqual([404, 'not_found', null]);
    }
  } finally {
    await closed.stop();
  }
});
