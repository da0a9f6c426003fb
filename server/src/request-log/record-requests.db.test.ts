import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingRequests } from '../events/wait-for-change.ts';
import { removeExpired } from '../jobs/remove-expired.ts';
import { listRequests } from './list-requests.ts';

const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock, roles: ['api'] });
});
afterAll(() => server.stop());

const recorded = (workspaceId: string, count: number) =>
  eventually(`${count} requests`, async () => {
    const { rows } = await listRequests({ db: server.server.deps.db, workspaceId }, { limit: 100 });
    return rows.length >= count && rows;
  });

test('requests to the API are recorded with their path and without query and body, those without a valid key are not', async () => {
  const owner = await server.workspace();
  const { key } = owner;
  const inbox = await server.inbox(owner);
  const refused = await server.request(`/v1/messages/msg_nothing?secret=ada@example.com`, { key });
  await server.request('/v1/messages', { key: 'pr_live_unknown' });
  await server.request('/livez', { key });
  await owner.client.inboxes.get(inbox.id);
  const rows = await recorded(owner.id, 3);
  expect(rows).toMatchObject([
    {
      method: 'GET',
      path: `/v1/inboxes/${inbox.id}`,
      status: 200,
      error: null,
      key_id: owner.keyId,
      skipped: 0,
    },
    { method: 'GET', path: '/v1/messages/msg_nothing', status: 400, error: 'invalid_request' },
    { method: 'POST', path: '/v1/inboxes', status: 201, error: null },
  ]);
  expect(rows[1]?.id).toBe(refused.headers.get('x-request-id'));
  expect(JSON.stringify(rows)).not.toContain('ada@example.com');
});

test('a request whose client left has status 499, and the time that it took', async () => {
  const owner = await server.workspace();
  const leaving = new AbortController();
  const response = fetch(`${server.url}/v1/events?wait_seconds=20`, {
    headers: { authorization: `Bearer ${owner.key}` },
    signal: leaving.signal,
  });
  const failed = expect(response).rejects.toThrow();
  await eventually(
    'the request to wait',
    async () => waitingRequests(server.server.deps).countOf(owner.id) === 1,
  );
  setTimeout(() => leaving.abort(), 300);
  await failed;
  const [row] = await recorded(owner.id, 1);
  expect(row).toMatchObject({ path: '/v1/events', status: 499 });
  expect(row?.duration_ms).toBeGreaterThan(200);
});

test('requests are kept for 7 days, and counts of days for longer', async () => {
  const owner = await server.workspace();
  await owner.client.inboxes.list();
  await recorded(owner.id, 1);
  const old = `insert into usage_days (workspace_id, day, kind, amount) values ($1, '2020-01-01', 'emails', 1)`;
  await server.rows(old, [owner.id]);
  await server.rows(
    `insert into usage_days (workspace_id, day, kind, amount) values ($1, now(), 'emails', 1)`,
    [owner.id],
  );
  const count = async () => {
    const { rows } = await listRequests({ db: server.server.deps.db, workspaceId: owner.id }, { limit: 100 });
    return [
      rows.length,
      (await server.rows('select from usage_days where workspace_id = $1', [owner.id])).length,
    ];
  };
  await removeExpired(server.server.deps).run({});
  expect(await count()).toEqual([1, 1]);
  clock.advance(7 * 24 * 3_600_000 + 60_000);
  await removeExpired(server.server.deps).run({});
  expect(await count()).toEqual([0, 1]);
});
