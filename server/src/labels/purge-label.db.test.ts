import { setTimeout as sleep } from 'node:timers/promises';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sql } from 'kysely';
import type { Label } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeLabel } from './purge-label.ts';

const many = 100_000;
let server: TestServer;

beforeAll(async () => {
  // Without the role of a worker nothing is removed until the test says so.
  server = await startTestServer({ roles: ['api', 'smtp'] });
});
afterAll(() => server.stop());

const purge = ({ id }: Label) => purgeLabel(server.server.deps).run({ workspaceId: server.id, labelId: id });
/** Purges a label over one connection, which tells at once how many rows it looked at. */
const rowsReadToPurge = (gone: Label): Promise<number> =>
  server.server.deps.db.connection().execute(async (db) => {
    const read = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const { rows } = await sql<{ read: string }>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables
        where relname in ('labels', 'messages', 'message_labels', 'threads', 'thread_labels')`.execute(db);
      return Number(rows[0]?.read);
    };
    const before = await read();
    await purgeLabel({ ...server.server.deps, db }).run({ workspaceId: server.id, labelId: gone.id });
    return (await read()) - before;
  });
/** How many messages and threads a label is on, whether it is deleted or not. */
const countUses = async ({ id }: Label): Promise<{ messages: number; threads: number }> => {
  const rows = await server.rows<{ messages: number; threads: number }>(
    `select (select count(*)::int from message_labels where label_id = $1) as messages,
       (select count(*)::int from thread_labels where label_id = $1) as threads`,
    [id],
  );
  return rows[0] ?? { messages: 0, threads: 0 };
};
const none = { messages: 0, threads: 0 };
const one = { messages: 1, threads: 1 };
const label = () => server.client.labels.create({ name: server.freshName('label') });

/** A message with these labels. */
const labelled = async (labels: Label[]) => {
  const message = await receiveMessage(server);
  for (const { id } of labels) await server.client.labels.assign(id, { message_id: message.id });
  return message;
};

describe('the deletion of a label that is being assigned', () => {
  test('waits for the assignment, so that the job finds it', async () => {
    const [gone, message] = [await label(), await receiveMessage(server)];
    const inTheWay = await server.server.deps.database.pool.connect();
    await inTheWay.query('begin');
    await inTheWay.query(
      'insert into message_labels (workspace_id, label_id, message_id, inbox_id) values ($1, $2, $3, $4)',
      [server.id, gone.id, message.id, message.inbox_id],
    );
    const assigning = server.client.labels.assign(gone.id, { message_id: message.id });
    const answered = assigning.then(
      () => 'assigned',
      (error: { code?: string }) => error.code,
    );
    await eventually('the assignment to wait', async () => {
      const waiting = await server.rows("select from pg_stat_activity where wait_event = 'transactionid'");
      return waiting.length > 0;
    });
    const removed = server.client.labels.delete(gone.id).then(() => purge(gone));
    await sleep(300);
    await inTheWay.query('rollback');
    inTheWay.release();
    expect(['assigned', 'not_found']).toContain(await answered);
    await removed;
    expect(await countUses(gone)).toEqual(none);
  });
});

describe('the deletion of a label', () => {
  test(`on ${many} messages is answered at once, hides it from every answer, and leaves the rest to a job`, async () => {
    const [gone, kept] = [await label(), await label()];
    const message = await labelled([gone, kept]);
    await server.rows(
      `insert into message_labels (workspace_id, label_id, message_id, inbox_id)
       select $1, $2, 'msg_' || n, 'inb' from generate_series(1, $3::int) n`,
      [server.id, gone.id, many],
    );
    await server.client.labels.delete(gone.id);
    // None of them was touched.
    expect(await countUses(gone)).toEqual({ messages: many + 1, threads: 1 });
    const { messages, threads, labels } = server.client;
    expect((await messages.get(message.id)).labels).toMatchObject([{ id: kept.id }]);
    expect((await threads.get(message.thread_id)).labels).toMatchObject([{ id: kept.id }]);
    expect((await labels.list()).labels.map(({ id }) => id)).not.toContain(gone.id);
    await catchApiError(Promise.resolve(messages.list({ label_id: gone.id })), 'not_found');
    await labels.create({ name: gone.name });
    await purge(gone);
    expect([await countUses(gone), await countUses(kept)]).toEqual([none, one]);
  });

  test('costs each message the same, however many threads have the label, also before the tables were analyzed', async () => {
    const gone = await label();
    const { id, thread_id } = await receiveMessage(server);
    const copies = 5_000;
    const copy = (table: string, of: string, more: string) =>
      server.rows(
        `insert into ${table} select made.* from ${table} r, generate_series(1, $2::int) n,
         lateral jsonb_populate_record(r, jsonb_build_object(${more})) made where r.id = $1`,
        [of, copies],
      );
    await copy('threads', thread_id, `'id', 'thr_' || n`);
    await copy('messages', id, `'id', 'msg_' || n, 'thread_id', 'thr_' || n`);
    await server.rows(
      `insert into message_labels (workspace_id, label_id, message_id, inbox_id)
       select workspace_id, $1, id, inbox_id from messages where id ~ '^msg_[0-9]+$'`,
      [gone.id],
    );
    expect(await countUses(gone)).toEqual({ messages: copies, threads: copies });
    await server.client.labels.delete(gone.id);
    expect(await rowsReadToPurge(gone)).toBeLessThan(copies * 50);
    expect(await countUses(gone)).toEqual(none);
  });

  test('leaves one that is there on its messages, and does no harm when its job runs twice or at the same time', async () => {
    const [gone, alive] = [await label(), await label()];
    await labelled([gone, alive]);
    await purge(alive);
    expect(await countUses(alive)).toEqual(one);
    await server.client.labels.delete(gone.id);
    await Promise.all([purge(gone), purge(gone)]);
    await purge(gone);
    expect([await countUses(gone), await countUses(alive)]).toEqual([none, one]);
  });
});
