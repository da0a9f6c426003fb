import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { operator } from '../audit/append-audit.ts';
import { type PausePlace, pause, resume } from '../policies/pause.ts';

const backlog = 3_000;
/** The most that one look lets wait, and the capacity of a destination. */
const waitingMax = 2_000;
const room = 15;
const now = new Date('2026-01-01T12:00:00Z');
const earlier = new Date('2026-01-01T11:00:00Z');
const expiresAt = new Date('2026-01-04T12:00:00Z');
const leaseEnd = new Date('2026-01-01T12:01:00Z');
let store: MailStore;
let deps: Parameters<typeof pause>[0];

beforeAll(async () => {
  store = await openMailStore();
  deps = { ...store.deps, clock: { now: () => now } };
});
afterEach(() => store.rows('delete from message_recipients'));
afterAll(() => store.close());

/** Stores a message of an inbox of its own with recipients that are due. Returns the place of the inbox. */
async function storeDue(name: string, count: number, dueAt: Date): Promise<PausePlace> {
  const inboxId = await store.inbox();
  const outcome = await store.store({ inboxId });
  await store.rows(
    `insert into message_recipients (workspace_id, message_id, address, inbox_id, kind, position, status, attempts, due_at, expires_at, updated_at)
      select $1, $2, $3 || n || '@busy.example', $4, 'to', n, 'deferred', 1, $5::timestamptz + n * interval '1 ms', $6, $5
      from generate_series(1, $7::int) n`,
    [store.workspaceId, (outcome as { messageId: string }).messageId, name, inboxId, dueAt, expiresAt, count],
  );
  return { level: 'inbox', workspaceId: store.workspaceId, subjectId: inboxId };
}

interface Claimed {
  address: string | null;
  status: string;
}

/** Looks as a worker does. Returns what it claimed, and when more is due. */
const lookAhead = async (at = now) => {
  const rooms = { free: 20, room, rooms: {}, failing: [], free_of_failing: 5 };
  const rows = await store.rows<Claimed & { expires_at: Date }>(
    'select address, status, expires_at from claim_recipients($1)',
    [JSON.stringify({ at, lease_end: leaseEnd, ...rooms })],
  );
  const claimed = rows
    .filter(({ status }) => status !== 'next')
    .map(({ address, status }) => ({ address, status }));
  return { claimed, nextAt: rows.find(({ status }) => status === 'next')?.expires_at ?? null };
};
const look = async (at = now): Promise<Claimed[]> => (await lookAhead(at)).claimed;
const waiting = async () =>
  (await store.rows('select from message_recipients where resume_at is not null')).length;

test('a paused backlog of a destination is touched once, and then others are claimed at once', async () => {
  const place = await storeDue('paused', backlog, earlier);
  await storeDue('other', 50, new Date(now.getTime() - 1_000));
  await pause(deps, place, null, operator);
  const looks: number[] = [];
  for (;;) {
    const before = await waiting();
    const { claimed, nextAt } = await lookAhead();
    looks.push((await waiting()) - before);
    expect(claimed.every(({ address }) => !address?.startsWith('paused'))).toBe(true);
    if (nextAt === null || nextAt > now) break;
  }
  expect(Math.max(...looks)).toBeLessThanOrEqual(waitingMax + room);
  expect(looks.reduce((sum, each) => sum + each, 0)).toBe(backlog);
  expect(looks.length).toBeLessThanOrEqual(Math.ceil(backlog / waitingMax) + 1);
  const { length } = await store.rows(
    "select from message_recipients where address like 'other%' and due_at = $1",
    [leaseEnd],
  );
  expect(length).toBeGreaterThan(0);
  expect(await look(new Date(now.getTime() + 1))).toHaveLength(room);
});

test('while something else is paused, a look claims as before', async () => {
  await storeDue('going', 100, earlier);
  await pause(deps, await storeDue('paused', 1, now), null, operator);
  const claimed = await look();
  expect(claimed.map(({ status }) => status)).toEqual(Array(room).fill('deferred'));
  expect(await waiting()).toBe(0);
});

test('the end of a pause makes all due when they were, and they go first', async () => {
  const place = await storeDue('paused', 30, earlier);
  await pause(deps, place, null, operator);
  expect(await look()).toEqual([]);
  expect(await waiting()).toBe(30);
  await resume(deps, place, operator);
  await storeDue('later', 30, now);
  const claimed = await look(new Date(now.getTime() + 1_000));
  expect(claimed.map(({ address }) => address?.slice(0, 6))).toEqual(Array(room).fill('paused'));
});

test('what waits is looked at again when its message expires, and is returned as expired, also beside others', async () => {
  const place = await storeDue('paused', 3, earlier);
  await pause(deps, place, null, operator);
  await look();
  const tooEarly = await lookAhead(new Date(expiresAt.getTime() - 1));
  expect(tooEarly).toEqual({ claimed: [], nextAt: expiresAt });
  const claimed = await look(expiresAt);
  expect(claimed.map(({ status }) => status)).toEqual(['expired', 'expired', 'expired']);
});

test('what expires at the moment at which it is due does not begin to wait', async () => {
  const place = await storeDue('paused', 1, earlier);
  await pause(deps, place, null, operator);
  expect(await look(expiresAt)).toEqual([{ address: 'paused1@busy.example', status: 'expired' }]);
});
