import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { recordQueries } from '@postrider/testkit/database/recorded-queries.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { createLocalWakeups } from '../db/wakeups.ts';
import { beginning, readLog } from '../events/read-log.ts';
import { createReadLimiter } from '../lib/admission/message-slots.ts';
import { createTimeScale, systemClock } from '../lib/clock.ts';
import { deriveKeys } from '../lib/crypto/primitives.ts';
import { newId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { listEvents } from './list-events.ts';

const workspaceId = newId('wsp');
const never = new AbortController().signal;
const eventsCount = 3_000;
let database: Database;
let recorded: ReturnType<typeof recordQueries<Tables>>;

beforeAll(async () => {
  database = await openFreshDatabase();
  await database.pool.query(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at, position)
       select $1, 'evt_' || lpad(n::text, 26, '0'), case when n % 3 = 0 then 'message.delivered' else 'message.received' end,
         'inb', 'thr', 'msg', '{}', now(), n from generate_series(1, $2::int) n`,
    [workspaceId, eventsCount],
  );
});
afterAll(() => database.close());
beforeEach(() => {
  recorded = recordQueries(database.db);
});

/** How many events each look at the log asked for. */
const lookedAt = () =>
  recorded.selects.filter(({ sql }) => sql.includes('"events"')).map(({ parameters }) => parameters.at(-1));

test('a filter that lets through every third event looks at a few, and one that lets through none at 1,000', async () => {
  const ctx = { db: recorded.db, workspaceId, scope: wholeWorkspace };
  const some = await readLog(ctx, beginning, { events: ['message.delivered'] }, 25);
  expect(some).toMatchObject({ next: { position: 75 }, isEnd: false });
  expect(some.rows.map(({ position }) => position)).toEqual(
    Array.from({ length: 25 }, (_, n) => 3 * (n + 1)),
  );
  expect(lookedAt()).toEqual([100]);
  const none = await readLog(ctx, beginning, { events: ['message.bounced'] }, 25);
  expect(none).toMatchObject({ rows: [], next: { position: 1_000 }, isEnd: false });
  const last = await readLog(ctx, { position: 2_500, eventId: null }, { events: ['message.bounced'] }, 25);
  expect(last).toMatchObject({ rows: [], next: { position: eventsCount }, isEnd: true });
  expect(lookedAt()).toEqual([100, 100, 900, 100, 900]);
});

test('who waits is answered when the server stops, wherever in the log the look is', async () => {
  const ctx = {
    db: recorded.db,
    workspaceId,
    scope: wholeWorkspace,
    clock: systemClock,
    timeScale: createTimeScale(1),
    wakeups: createLocalWakeups(),
    readLimiter: createReadLimiter(),
    keys: deriveKeys('x'.repeat(64)),
    stopping: AbortSignal.abort(),
  } as unknown as Context;
  const query = { events: ['message.bounced' as const], limit: 25, wait_seconds: 30 };
  const { events, next_cursor } = await listEvents(ctx, query, never);
  expect([events, Number(next_cursor?.slice(4))]).toEqual([[], 1_000]);
});
