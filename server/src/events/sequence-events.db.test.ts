import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { sequenceEvents } from './write-log.ts';

const workspaceId = newId('wsp');
let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});

afterAll(() => database.close());

const insert = (db: Database['db'], id: string) =>
  db
    .insertInto('events')
    .values({
      workspace_id: workspaceId,
      id,
      event: 'message.received',
      inbox_id: newId('inb'),
      thread_id: newId('thr'),
      message_id: newId('msg'),
      extra: JSON.stringify({}) as never,
      created_at: new Date(),
    } as never)
    .execute();

const positioned = async (after: number) =>
  database.db
    .selectFrom('events')
    .select(['id', 'position'])
    .where('workspace_id', '=', workspaceId)
    .where('position', '>', after)
    .orderBy('position')
    .execute();

const orderAll = async () => {
  while ((await sequenceEvents(database)).ordered > 0);
};

describe('the order of the event log', () => {
  test('follows the order of insertion and gives each event one position', async () => {
    const ids = Array.from({ length: 25 }, () => newId('evt'));
    for (const id of ids) await insert(database.db, id);
    expect(await sequenceEvents(database)).toEqual({
      ordered: ids.length,
      workspaces: [workspaceId],
      followed: false,
    });
    const rows = await positioned(0);
    expect(rows.map((row) => row.id)).toEqual(ids);
    expect(new Set(rows.map((row) => row.position)).size).toBe(ids.length);
  });

  test('shows no reader a gap that a slower writer fills later', async () => {
    const seen = (await positioned(0)).at(-1)?.position ?? 0;
    const slow = newId('evt');
    const [early, late] = [newId('evt'), newId('evt')];
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const { promise: inserted, resolve: noteInserted } = Promise.withResolvers<void>();
    const writer = database.db.transaction().execute(async (tx) => {
      await insert(tx as never, slow);
      noteInserted();
      await mayCommit;
    });
    await inserted;
    await insert(database.db, early);
    await orderAll();
    const first = await positioned(seen);
    expect(first.map((row) => row.id)).toEqual([early]);
    commit();
    await writer;
    await insert(database.db, late);
    await orderAll();
    const rest = await positioned(first[0]?.position ?? 0);
    expect(rest.map((row) => row.id)).toEqual([slow, late]);
  });

  test('the control: positions taken inside the writing transactions would lose an event', async () => {
    await sql`create table if not exists naive_events (id text, position bigserial)`.execute(database.db);
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const { promise: inserted, resolve: noteInserted } = Promise.withResolvers<void>();
    const writer = database.db.transaction().execute(async (tx) => {
      await sql`insert into naive_events (id) values ('slow')`.execute(tx);
      noteInserted();
      await mayCommit;
    });
    await inserted;
    await sql`insert into naive_events (id) values ('early')`.execute(database.db);
    const read = async (after: number) =>
      (
        await sql<{
          id: string;
          position: number;
        }>`select * from naive_events where position > ${after} order by position`.execute(database.db)
      ).rows;
    const first = await read(0);
    commit();
    await writer;
    const rest = await read(first.at(-1)?.position ?? 0);
    expect([...first, ...rest].map((row) => row.id)).toEqual(['early']);
  });

  test('follows 50 racing writers without losing or repeating an event', async () => {
    const ids = Array.from({ length: 50 }, () => newId('evt'));
    let cursor = (await positioned(0)).at(-1)?.position ?? 0;
    const read: string[] = [];
    const follow = async () => {
      await sequenceEvents(database);
      const rows = await positioned(cursor);
      cursor = rows.at(-1)?.position ?? cursor;
      read.push(...rows.map((row) => row.id));
    };
    const writers = Promise.all(ids.map((id) => insert(database.db, id)));
    while (read.length < 10) await follow();
    await writers;
    await Promise.all([orderAll(), orderAll()]);
    await follow();
    expect([...read].sort()).toEqual([...ids].sort());
  });

  test('keeps a position that was given, and is read without a gap, while many sequencers race', async () => {
    let cursor = (await positioned(0)).at(-1)?.position ?? 0;
    const read: string[] = [];
    const ids = Array.from({ length: 400 }, () => newId('evt'));
    const left = ids.values();
    const write = async () => {
      for (const id of left) await insert(database.db, id);
    };
    let writing = true;
    const sequence = async () => {
      while (writing) await sequenceEvents(database);
    };
    const follow = async () => {
      const rows = await positioned(cursor);
      cursor = rows.at(-1)?.position ?? cursor;
      read.push(...rows.map((row) => row.id));
    };
    const reader = async () => {
      while (writing) await follow();
    };
    const others = [sequence(), sequence(), sequence(), reader()];
    await Promise.all([write(), write(), write(), write()]);
    writing = false;
    await Promise.all(others);
    await orderAll();
    await follow();
    expect([...read].sort()).toEqual([...ids].sort());
  });
});
