import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { bePatient, joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchLimits } from '../../../src/search/query/match-slice.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
  // Long enough for a statement on a busy machine whom nobody keeps waiting.
  searchLimits.msMax = 3_000;
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: inbox.address,
    subject: 'Widget',
    text: 'A widget.',
  });
  await server.indexed();
});
afterAll(async () => {
  bePatient();
  await server.stop();
});

/** Keeps the index from being read until the returned function is called. */
const lockIndex = async () => {
  const connection = await server.server.deps.database.pool.connect();
  await connection.query('begin');
  await connection.query('lock table search_messages in access exclusive mode');
  return async () => {
    await connection.query('rollback');
    connection.release();
  };
};

/** When the statement began that waits for the index. */
const waitingSince = async (): Promise<string | undefined> => {
  const rows = await server.rows<{ since: string }>(
    `select query_start::text as since from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%with scored%'`,
  );
  return rows[0]?.since;
};

const status = async () => (await server.request('/v1/messages?query=widget')).status;

test('Messages 6: a search whose statements take too long is a 503 soon, and works again afterwards', async () => {
  const unlock = await lockIndex();
  const answer = await server.request('/v1/messages?query=widget');
  await unlock();
  expect([answer.status, answer.body.error]).toEqual([503, 'unavailable']);
  expect(await status()).toBe(200);
});

test('Messages 6: a search whose first statement took too long starts again with less', async () => {
  searchLimits.msMax = 10_000;
  const unlock = await lockIndex();
  const searching = server.client.messages.search('widget');
  const first = await eventually('the first statement to wait', waitingSince);
  await eventually('the second one to wait', async () => ((await waitingSince()) ?? first) !== first);
  await unlock();
  expect((await searching).messages.map(({ subject }) => subject)).toEqual(['Widget']);
});
