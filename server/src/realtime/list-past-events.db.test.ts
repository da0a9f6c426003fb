import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { createReadLimiter } from '../lib/admission/message-slots.ts';
import { deriveKeys } from '../lib/crypto/primitives.ts';
import { firstIdAt, newId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type ListPastEvents, listPastEvents } from './list-events.ts';

const workspaceId = newId('wsp');
const eventsCount = 2_400;
const startMs = Date.UTC(2026, 10, 20);
/** Event n happened at second n, and every 2,000th one is a bounce. */
const timeAt = (n: number) => new Date(startMs + n * 1_000);
const idAt = (n: number) => `${firstIdAt('evt', timeAt(n)).slice(0, -6)}${String(n).padStart(6, '0')}`;
let database: Database;
let ctx: Context;

beforeAll(async () => {
  database = await openFreshDatabase();
  const numbers = Array.from({ length: eventsCount }, (_, index) => index + 1);
  await database.pool.query(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at, position)
       select $1, id, case when n % 2000 = 0 then 'message.bounced' else 'message.received' end,
         'inb', 'thr', 'msg', '{}', now(), n from unnest($2::text[]) with ordinality as rows (id, n)`,
    [workspaceId, numbers.map(idAt)],
  );
  await database.pool.query(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at, position)
       values ($1, $2, 'message.received', 'inb', 'thr', 'msg', '{}', now(), 5000)`,
    [newId('wsp'), newId('evt')],
  );
  ctx = {
    db: database.db,
    workspaceId,
    scope: wholeWorkspace,
    keys: deriveKeys('s'.repeat(32)),
    readLimiter: createReadLimiter(),
  } as unknown as Context;
});
afterAll(() => database.close());

const list = async (query: Partial<ListPastEvents>) => {
  const { events, nextCursor } = await listPastEvents(ctx, { limit: 25, ...query });
  return { ids: events.map(({ id }) => id), nextCursor };
};
const ids = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => idAt(from - index));

describe('the past events', () => {
  test('are those of the workspace, newest first, page by page, each once', async () => {
    const first = await list({});
    expect(first.ids).toEqual(ids(2_400, 2_376));
    const second = await list({ cursor: first.nextCursor ?? '' });
    expect(second.ids).toEqual(ids(2_375, 2_351));
  });

  test('end with the log', async () => {
    const page = await list({ before: timeAt(26).toISOString() });
    expect(page).toEqual({ ids: ids(25, 1), nextCursor: null });
    const longer = await list({ before: timeAt(27).toISOString() });
    expect(longer.ids).toEqual(ids(26, 2));
    expect(await list({ cursor: longer.nextCursor ?? '' })).toEqual({ ids: [idAt(1)], nextCursor: null });
  });

  test('begin before a time', async () => {
    expect((await list({ before: timeAt(1_000).toISOString() })).ids[0]).toBe(idAt(999));
    expect(await list({ before: timeAt(0).toISOString() })).toEqual({ ids: [], nextCursor: null });
  });

  test('of a rare kind come after empty pages, which look through 1,000 events each', async () => {
    const first = await list({ events: ['message.bounced'] });
    expect(first.ids).toEqual([idAt(2_000)]);
    const second = await list({ events: ['message.bounced'], cursor: first.nextCursor ?? '' });
    expect(second.ids).toEqual([]);
    const third = await list({ events: ['message.bounced'], cursor: second.nextCursor ?? '' });
    expect(third).toEqual({ ids: [], nextCursor: null });
  });

  test('are refused for a cursor of another list', async () => {
    for (const cursor of ['nonsense', Buffer.from('["x"]').toString('base64url')]) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
