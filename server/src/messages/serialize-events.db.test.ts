import { limits } from '@postrider/contract';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { renderContext } from '@postrider/testkit/database/render-context.ts';
import { makeEvent } from '@postrider/testkit/mail/made-event.ts';
import { endSharedServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import type { EventRow } from '../events/read-log.ts';
import { newId } from '../lib/ids.ts';
import { serializeEventsOnce } from './render-events.ts';

let database: Database;

beforeAll(async () => {
  await endSharedServer();
  database = await openFreshDatabase();
});
afterAll(() => database.close());
// A rendering is kept for a quarter of a second, which a slow machine would spend between two lines.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const contextOf = (workspaceId: string) => renderContext(database.db, workspaceId);

const bodyOf = (frame: { bytes: Buffer } | undefined) => JSON.parse(String(frame?.bytes));

test('who comes for the same events at the same time has one rendering, in the order that was asked for', async () => {
  const ctx = contextOf(newId('wsp'));
  const [a, b, c] = [0, 1, 2].map(() => makeEvent(ctx.workspaceId)) as [EventRow, EventRow, EventRow];
  const [first, second] = await Promise.all([
    serializeEventsOnce(ctx, [a, b]),
    serializeEventsOnce(ctx, [b, a]),
  ]);
  expect([[...first.keys()], [...second.keys()]]).toEqual([
    [a.id, b.id],
    [b.id, a.id],
  ]);
  expect(second.get(a.id)).toBe(first.get(a.id));
  expect(bodyOf(first.get(a.id))).toMatchObject({ id: a.id, workspace_id: ctx.workspaceId });
  const third = await serializeEventsOnce(ctx, [a, c, b]);
  expect([...third.keys()]).toEqual([a.id, c.id, b.id]);
  expect(third.get(b.id)).toBe(first.get(b.id));
});

test('what was rendered is rendered anew when it is asked for later', async () => {
  const ctx = contextOf(newId('wsp'));
  const event = makeEvent(ctx.workspaceId);
  const [before] = (await serializeEventsOnce(ctx, [event])).values();
  vi.advanceTimersByTime(300);
  const [after] = (await serializeEventsOnce(ctx, [event])).values();
  expect(after).toEqual(before);
  expect(after).not.toBe(before);
});

test('no workspace has the rendering of another one', async () => {
  const [mine, other] = [newId('wsp'), newId('wsp')];
  const id = newId('evt');
  const ctx = contextOf(mine);
  await serializeEventsOnce(ctx, [makeEvent(mine, { id })]);
  const payloads = await serializeEventsOnce({ ...ctx, workspaceId: other }, [makeEvent(other, { id })]);
  expect(bodyOf(payloads.get(id)).workspace_id).toBe(other);
});

test('a rendering that fails is not kept', async () => {
  const ctx = contextOf(newId('wsp'));
  const event = makeEvent(ctx.workspaceId);
  const broken = { ...event, created_at: new Date(Number.NaN) };
  await expect(serializeEventsOnce(ctx, [broken])).rejects.toThrow(RangeError);
  expect((await serializeEventsOnce(ctx, [event])).size).toBe(1);
});

test('more events than are kept are rendered all the same', async () => {
  const ctx = contextOf(newId('wsp'));
  const events = Array.from({ length: 1_100 }, () => makeEvent(ctx.workspaceId));
  const payloads = await serializeEventsOnce(ctx, events);
  expect([...payloads.keys()]).toEqual(events.map(({ id }) => id));
});

const largeEvents = (ctx: { workspaceId: string }, count: number): EventRow[] =>
  Array.from({ length: count }, () => ({
    ...makeEvent(ctx.workspaceId),
    extra: { bounce: 'x'.repeat(131_072) },
  }));

test('payloads that are large together are not kept', async () => {
  const ctx = contextOf(newId('wsp'));
  const parts = Array.from({ length: 8 }, () => largeEvents(ctx, 25));
  const before = await Promise.all(parts.map((part) => serializeEventsOnce(ctx, part)));
  const after = await Promise.all(parts.map((part) => serializeEventsOnce(ctx, part)));
  const isKept = after.map(
    (payloads, at) => payloads.get(parts[at]![0]!.id) === before[at]?.get(parts[at]![0]!.id),
  );
  expect(isKept).toContain(false);
});

test('of events that are too much for one answer the first are rendered, and the others for whoever asks next', async () => {
  const ctx = contextOf(newId('wsp'));
  const events = largeEvents(ctx, 40);
  const first = await serializeEventsOnce(ctx, events);
  expect(first.size).toBe(Math.floor(limits.answerBytesMax / 131_500));
  expect([...first.keys()]).toEqual(events.slice(0, first.size).map(({ id }) => id));
  const rest = events.slice(first.size);
  expect([...(await serializeEventsOnce(ctx, rest)).keys()]).toEqual(rest.map(({ id }) => id));
  const mixed = await serializeEventsOnce(ctx, [events[0]!, ...rest]);
  expect([...mixed.keys()]).toEqual([events[0]!, ...rest].map(({ id }) => id));
});
