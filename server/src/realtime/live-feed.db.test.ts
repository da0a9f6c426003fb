import { setTimeout as pause } from 'node:timers/promises';
import type { EventKind } from '@postrider/contract';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { renderContext } from '@postrider/testkit/database/render-context.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { beginning, type LogFilters, matches } from '../events/read-log.ts';
import { newId } from '../lib/ids.ts';
import { type RenderContext, serializeEvents } from '../messages/render-events.ts';
import { createLiveFeed, type LiveFeed, type LogFollower } from './live-feed.ts';
import { readPayloads } from './read-payloads.ts';

const random = seededRandom(7);
const inboxes = [newId('inb'), newId('inb')];
const kinds: EventKind[] = ['message.received', 'message.delivered'];
let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const makeContext = (workspaceId: string) => renderContext(database.db, workspaceId);

const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)]!;

/** Adds an event that has its order, of any inbox and kind. */
const addEvent = async ({ db, workspaceId }: RenderContext) => {
  const row = {
    workspace_id: workspaceId,
    id: newId('evt'),
    event: pick(kinds),
    inbox_id: pick(inboxes),
    thread_id: newId('thr'),
    message_id: newId('msg'),
    extra: '{}',
    created_at: new Date(),
    position: sql<number>`nextval('event_positions')`,
  };
  await db
    .insertInto('events')
    .values(row as never)
    .execute();
  return row;
};

/** A follower that refuses a frame now and then, and what it has. */
const follow = (
  ctx: RenderContext,
  feed: LiveFeed,
  filters: LogFilters,
): { ids: string[]; joins: number } => {
  const has = { ids: [] as string[], joins: 0 };
  const note = (frame: Buffer) => void has.ids.push((JSON.parse(frame.toString()) as { id: string }).id);
  const follower: LogFollower = {
    filters,
    place: beginning,
    give: (frame) => {
      if (random() < 0.05) return false;
      note(frame);
      return true;
    },
    together: (work) => work(),
    onLagging: () => void readOn(),
  };
  const readOn = async (): Promise<void> => {
    await pause(random() * 10);
    const part = await readPayloads(ctx, follower.place, filters, ({ rows }) => rows, serializeEvents);
    for (const { bytes } of part.payloads.values()) note(bytes);
    follower.place = part.next;
    if (part.isEnd && feed.join(follower)) has.joins += 1;
    else await readOn();
  };
  void readOn();
  return has;
};

test('followers that come at any moment, choose, and fall behind again and again have what they want once and in order', async () => {
  const ctx = makeContext(newId('wsp'));
  const errors: unknown[] = [];
  const feed = createLiveFeed(ctx, (error) => errors.push(error));
  const choices: LogFilters[] = [{}, { events: [kinds[0]!] }, { inbox_id: inboxes[1] }];
  const followers: { filters: LogFilters; has: ReturnType<typeof follow> }[] = [];
  const added: Awaited<ReturnType<typeof addEvent>>[] = [];
  for (let round = 0; round < 150; round++) {
    const filters = pick(choices);
    if (round % 10 === 0) followers.push({ filters, has: follow(ctx, feed, filters) });
    added.push(await addEvent(ctx));
    if (random() < 0.7) feed.look();
    if (random() < 0.2) await pause(random() * 5);
  }
  feed.look();
  for (const { filters, has } of followers) {
    const wanted = added.filter((row) => matches(row, filters)).map(({ id }) => id);
    await eventually('all events', async () => has.ids.length >= wanted.length);
    expect(has.ids).toEqual(wanted);
  }
  expect(followers.reduce((sum, { has }) => sum + has.joins, 0)).toBeGreaterThan(followers.length);
  expect(errors).toEqual([]);
});

test('who wants an event that nobody wanted when it was taken is not let in behind it', async () => {
  const ctx = makeContext(newId('wsp'));
  const feed = createLiveFeed(ctx, () => {});
  const got: Buffer[] = [];
  const follower = (filters: LogFilters): LogFollower => ({
    filters,
    place: beginning,
    give: (frame) => got.push(frame) > 0,
    together: (work) => work(),
    onLagging: () => {},
  });
  const late = follower({});
  let letIn: Promise<boolean> | null = null;
  const early = {
    ...follower({}),
    // Asked when the event has been taken, and before its frame would be made.
    get filters(): LogFilters {
      letIn ??= Promise.resolve().then(() => feed.join(late));
      return { inbox_id: newId('inb') };
    },
  };
  await addEvent(ctx);
  feed.join(early);
  await eventually('the event to be taken', async () => letIn !== null);
  expect(await letIn).toBe(false);
  const part = await readPayloads(ctx, late.place, {}, ({ rows }) => rows, serializeEvents);
  late.place = part.next;
  expect([part.rows.length, feed.join(late), got]).toEqual([1, true, []]);
});

test('a look that fails is made up for by the next one, and nobody has left anything out', async () => {
  const ctx = makeContext(newId('wsp'));
  const errors: unknown[] = [];
  let isAway = false;
  const failing = {
    ...ctx,
    get db() {
      if (isAway) throw new Error('the database is away');
      return ctx.db;
    },
  };
  const feed = createLiveFeed(failing, (error) => errors.push(error));
  const has = follow(ctx, feed, {});
  const first = await addEvent(ctx);
  await eventually('the first event', async () => {
    feed.look();
    return has.ids.length === 1 && has.joins > 0;
  });
  isAway = true;
  const second = await addEvent(ctx);
  feed.look();
  await eventually('the failure', async () => errors.length === 1);
  isAway = false;
  const third = await addEvent(ctx);
  feed.look();
  await eventually('all events', async () => has.ids.length === 3);
  expect(has.ids).toEqual([first.id, second.id, third.id]);
});

test('many small events are given in a few parts, so that a flood of them does not leave sockets behind', async () => {
  const ctx = makeContext(newId('wsp'));
  const feed = createLiveFeed(ctx, () => {});
  const parts: number[] = [];
  let given = 0;
  const follower: LogFollower = {
    filters: {},
    place: beginning,
    give: () => {
      given += 1;
      return true;
    },
    together: (work) => {
      const before = given;
      const result = work();
      parts.push(given - before);
      return result;
    },
    onLagging: () => {},
  };
  for (let n = 0; n < 300; n++) await addEvent(ctx);
  feed.join(follower);
  await eventually('all events', async () => given === 300);
  expect(parts.filter((size) => size > 0)).toEqual([25, 100, 100, 75]);
});
