import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type TestPostgres } from '@postrider/testkit/database/postgres.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';

/** Long in comparison with the rests that the server takes by itself. */
const stallMs = 20_000;

let postgres: TestPostgres;
let server: TestServer;

beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const database = await openDatabase({ url });
  await migrate(database).finally(() => database.close());
  server = await startTestServer({ database: { url } });
});
afterAll(async () => {
  await server.stop();
  await postgres.stop({ mode: 'immediate' });
});

/** Stops all processes of Postgres, as a disk that hangs does. Returns a function that lets them run again. */
async function stopDatabase(): Promise<() => void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid()
     union all select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int`,
  );
  await client.end();
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const { pid } of rows)
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

test('a workspace works again soon after the database stood still, and does not rest for as long as it stood', async () => {
  const inbox = await server.inbox();
  const wait = () => server.client.messages.list({ inbox_id: inbox.id, wait_seconds: 60 });
  /** Works at all times. With a rest as long as a stall, its first step would wait for so long, and the mail as well. */
  const work = async () => {
    const startMs = performance.now();
    const again = wait();
    await server.inbox();
    await server.inbox();
    const { id } = await receiveMessage(server, { inbox });
    expect((await again).messages.map((message) => message.id)).toEqual([id]);
    await server.client.messages.delete(id);
    return performance.now() - startMs;
  };
  const usualMs = await work();
  // Requests that need the database meanwhile may be told to come again.
  const waiting = wait().catch((error: unknown) => error);
  const creating = Array.from({ length: 3 }, () => server.inbox().catch((error: unknown) => error));
  const stoppedAtMs = performance.now();
  const go = await stopDatabase();
  await sleep(stallMs).finally(go);
  const backAtMs = performance.now();
  await Promise.all([...creating, server.inbox()]);
  const afterMs = performance.now() - backAtMs + (await work());
  // A busy machine makes the work of before as slow as that of after.
  expect(afterMs).toBeLessThan(4 * usualMs + backAtMs - stoppedAtMs);
  await waiting;
});
