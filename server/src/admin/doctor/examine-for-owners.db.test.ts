import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actorOf, type Context } from '../../context.ts';
import { writeZoneFile } from '../../domains/domain.view.ts';
import { getDomain } from '../../domains/find-domain.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { examineForOwners, withoutCredentials } from './examine-for-owners.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
});
afterAll(() => server.stop());

const makeContext = (workspaceId: string): Context => ({
  ...server.server.deps,
  workspaceId,
  plan: 'business',
  isTest: false,
  scope: wholeWorkspace,
  actor: actorOf(null),
  requestId: null,
});
/** The workspace that the first start created. */
const contextOfFirst = async (): Promise<Context> => {
  const [first] = await server.rows<{ id: string }>('select id from workspaces order by id limit 1');
  return makeContext(first?.id ?? '');
};

test('the server is examined for its first workspace alone', async () => {
  await expect(examineForOwners(makeContext(server.id))).rejects.toMatchObject({ code: 'owner_only' });
});

test('once the first workspace is deleted, the next one is not the first', async () => {
  const { workspaceId } = await contextOfFirst();
  const [next] = await server.rows<{ id: string }>('select id from workspaces order by id offset 1 limit 1');
  const setDeleted = 'update workspaces set deleted_at = $2 where id = $1';
  await server.rows(setDeleted, [workspaceId, new Date()]);
  try {
    const refused = expect(examineForOwners(makeContext(next?.id ?? ''))).rejects;
    await refused.toMatchObject({ code: 'owner_only' });
  } finally {
    await server.rows(setDeleted, [workspaceId, null]);
  }
});

test('where workspaces are configured and no user is, nobody in them sees the server', async () => {
  const first = await contextOfFirst();
  const config = { ...first.config, bootstrap: [] };
  const refused = expect(examineForOwners({ ...first, config })).rejects;
  await refused.toMatchObject({ code: 'owner_only' });
});

test('an examination is shared by all who ask during it and for ten seconds after it', async () => {
  const deps = await contextOfFirst();
  const [one, two] = await Promise.all([examineForOwners(deps), examineForOwners({ ...deps })]);
  expect(two).toBe(one);
  expect(await examineForOwners(deps)).toBe(one);
  expect(one.findings).toContainEqual({
    part: 'schema',
    state: 'ok',
    text: 'up to date',
    remedy: null,
  });
});

test('the domains of workspaces are left out', async () => {
  const other = await server.workspace();
  const hostname = `${server.freshName()}.example`;
  await other.client.domains.create({ hostname });
  const fresh = { ...(await contextOfFirst()), memory: new Map() };
  const { findings } = await examineForOwners(fresh);
  expect(findings.length).toBeGreaterThan(3);
  expect(JSON.stringify(findings)).not.toContain(hostname);
});

test('credentials in URLs are left out', () => {
  expect(withoutCredentials('smtp://ada:s%40cret@relay.example:587 says no')).toBe(
    'smtp://relay.example:587 says no',
  );
  expect(withoutCredentials('postgres://u:p@db/x and https://k@h/')).toBe('postgres://db/x and https://h/');
  expect(withoutCredentials('Write to ops@example.com, see https://example.com/a@b')).toBe(
    'Write to ops@example.com, see https://example.com/a@b',
  );
});

test('the zone file of a domain is shown to its workspace only', async () => {
  const hostname = `${server.freshName()}.example`;
  const { id } = await server.client.domains.create({ hostname });
  const text = writeZoneFile(makeContext(server.id), await getDomain(makeContext(server.id), id));
  expect(text).toMatch(new RegExp(`^\\$ORIGIN ${hostname}\\.\\n`));
  expect(text).toContain(' IN MX ');
  const other = await server.workspace();
  for (const [workspaceId, unknown] of [
    [other.id, id],
    [server.id, 'dom_unknown'],
  ] as const)
    await expect(getDomain(makeContext(workspaceId), unknown)).rejects.toMatchObject({
      code: 'not_found',
    });
});
