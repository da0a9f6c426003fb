import { startPostgres } from '@postrider/testkit/database/postgres.ts';
import { sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { countedMax } from '../../../src/http/answer-metrics.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
});
afterAll(() => server.stop());

const ask = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(`${url}/metrics`, { headers })).status;

test('Interface 10 POSTRIDER_METRICS_TOKEN: without one, /metrics answers this machine, and nothing that a proxy passed on', async () => {
  expect(await ask(server.url)).toBe(200);
  for (const name of [
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Real-IP',
    'X-Client-IP',
    'True-Client-IP',
    'CF-Connecting-IP',
  ])
    expect([name, await ask(server.url, { [name]: '127.0.0.1' })]).toEqual([name, 401]);
  const named = (host: string) =>
    sayHttp(server.url, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const statuses = ['localhost:4400', '127.0.0.1', '[::1]:80', 'mail.example.com', 'localhost.example.com'];
  expect((await Promise.all(statuses.map(named))).map(({ status }) => status)).toEqual([
    200, 200, 200, 401, 401,
  ]);
});

test('Interface 10 POSTRIDER_METRICS_TOKEN: where a proxy is configured, /metrics wants the token', async () => {
  for (const env of [
    { POSTRIDER_PUBLIC_URL: 'https://mail.example.com' },
    { POSTRIDER_TRUST_PROXY: 'loopback' },
    { POSTRIDER_FILES_URL: 'https://files.example.com' },
  ]) {
    const behind = await startTestServer({ roles: ['api'], env });
    expect([env, await ask(behind.url)]).toEqual([env, 401]);
    await behind.stop();
  }
  const token = await startTestServer({
    roles: ['api'],
    env: { POSTRIDER_PUBLIC_URL: 'https://mail.example.com', POSTRIDER_METRICS_TOKEN: 't'.repeat(32) },
  });
  const bearer = (text: string) => ({ authorization: `Bearer ${text}`, 'x-forwarded-for': '192.0.2.1' });
  expect([await ask(token.url, bearer('t'.repeat(32))), await ask(token.url, bearer('x'))]).toEqual([
    200, 401,
  ]);
  await token.stop();
});

/** Returns the values of metrics by their name with labels, without the prefix. */
async function readMetrics(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(/^postrider_(\w+(?:\{[^}]*\})?) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

/** Resolves to the metrics once they are as wanted. A scrape is shared for a second. */
const metricsOnce = (url: string, isWanted: (metrics: Record<string, number>) => boolean) =>
  eventually('the metrics', async () => {
    const metrics = await readMetrics(url);
    return isWanted(metrics) && metrics;
  });

test('what waits in the whole server is in the metrics of a process that does none of that work', async () => {
  const inbox = await server.inbox();
  await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['defer@simulator.postrider.test'],
    subject: 's',
    text: 't',
  });
  const found = await metricsOnce(
    server.url,
    (metrics) => metrics['delivery_pending_recipients{status="deferred"}'] === 1,
  );
  expect(found).toMatchObject({
    database_up: 1,
    'delivery_pending_recipients{status="queued"}': 0,
    search_pending_messages: 1,
    spool_mails: 0,
    approvals_held: 0,
  });
  // Nobody orders events, indexes messages, or tries again.
  expect(found['events_pending{step="order"}']).toBeGreaterThan(0);
  const lags = [
    'search_lag_seconds',
    'events_lag_seconds{step="order"}',
    'delivery_lag_seconds{status="deferred"}',
  ];
  await metricsOnce(server.url, (metrics) => lags.every((name) => (metrics[name] ?? 0) > 0));
});

test('the metrics have every part that the database tells', async () => {
  const rows = await server.rows<{ part: string }>('select distinct part from backlog(1)');
  const { parts } = server.server.deps.metrics.backlog;
  expect(rows.map(({ part }) => part).sort()).toEqual(Object.keys(parts).sort());
});

test('a longer queue than is counted has the length that is documented', async () => {
  await server.rows(
    `insert into search_pending (workspace_id, message_id) select 'wsp', 'msg_' || n from generate_series(1, $1::int) n`,
    [countedMax + 1],
  );
  await metricsOnce(server.url, ({ search_pending_messages }) => search_pending_messages === countedMax);
  await server.rows(`delete from search_pending where workspace_id = 'wsp'`);
});

test('without its database a server still answers with its own metrics, and none of what waits', async () => {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const database = await openDatabase({ url });
  await migrate(database).finally(() => database.close());
  const alone = await startTestServer({ roles: ['api'], database: { url } });
  try {
    expect(await readMetrics(alone.url)).toMatchObject({ database_up: 1, spool_mails: 0 });
    await postgres.stop({ mode: 'immediate', keepData: true });
    const away = await metricsOnce(alone.url, ({ database_up }) => database_up === 0);
    expect(away).toMatchObject({ realtime_sockets: 0 });
    expect(away).not.toHaveProperty('spool_mails');
    await postgres.start();
    await metricsOnce(alone.url, ({ database_up, spool_mails }) => database_up === 1 && spool_mails === 0);
  } finally {
    await alone.stop();
    await postgres.stop();
  }
});
