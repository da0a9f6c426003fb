import { limits } from '@postrider/contract';
import { afterEach, expect, test } from 'vitest';
import { isApiError } from '../../lib/api-error.ts';
import { BodySlots, bodySlotLimits } from './body-slots.ts';

const usual = { ...bodySlotLimits };
afterEach(() => void Object.assign(bodySlotLimits, usual));

const mib = 1_048_576;
const never = new AbortController().signal;
const isRefused = (error: unknown) => isApiError(error, 'rate_limited');
const stateOf = async (work: Promise<unknown>) => {
  const waits = new Promise((resolve) => setTimeout(resolve, 5, 'waits'));
  return Promise.race([work.then(() => 'taken', isRefused), waits]);
};

/** Takes every place of a workspace. */
const takeAll = (places: BodySlots) =>
  Promise.all(Array.from({ length: limits.largeRequestsPerWorkspaceMax }, () => places.take('a', 1, never)));

test('a workspace has so many places and bytes, and others have theirs', async () => {
  const places = new BodySlots();
  for (let i = 0; i < limits.largeRequestsPerWorkspaceMax; i += 1) await places.take('a', 1, never);
  expect(await stateOf(places.take('a', 1, never))).toBe('waits');
  await places.take('b', 20 * mib, never);
  expect(await stateOf(places.take('b', 5 * mib, never))).toBe('waits');
  expect(await stateOf(places.take('c', 20 * mib, never))).toBe('taken');
});

test('all together have so many bytes, and a body larger than that is taken alone', async () => {
  Object.assign(bodySlotLimits, { bytesMax: 10, bytesPerWorkspaceMax: 10 });
  const places = new BodySlots();
  const leave = await places.take('a', 11, never);
  const next = places.take('b', 1, never);
  expect(await stateOf(next)).toBe('waits');
  leave();
  expect(await stateOf(next)).toBe('taken');
});

test('who waits goes in order, and nobody waits for a workspace that has its share', async () => {
  const places = new BodySlots();
  const taken = await takeAll(places);
  const order: string[] = [];
  const wait = (owner: string, name: string) =>
    places.take(owner, 1, never).then((leave) => {
      order.push(name);
      return leave;
    });
  const waiting = [wait('a', 'first'), wait('a', 'second'), wait('b', 'other')];
  await waiting[2];
  expect(order).toEqual(['other']);
  // To leave twice is to leave once.
  taken[0]?.();
  taken[0]?.();
  await waiting[0];
  expect(await stateOf(waiting[1] as Promise<unknown>)).toBe('waits');
  taken[1]?.();
  await waiting[1];
  expect(order).toEqual(['other', 'first', 'second']);
});

test('who waits too long, leaves, or comes behind too many is told to come again, and takes nothing', async () => {
  Object.assign(bodySlotLimits, { waitMs: 20, waitingPerWorkspaceMax: 2 });
  const places = new BodySlots();
  const taken = await takeAll(places);
  const gone = new AbortController();
  const waiting = [never, gone.signal, never].map((signal) => places.take('a', 1, signal).catch(isRefused));
  expect(await waiting[2]).toBe(true);
  gone.abort();
  expect(await waiting[1]).toBe(true);
  expect(await waiting[0]).toBe(true);
  for (const leave of taken) leave();
  for (let i = 0; i < limits.largeRequestsPerWorkspaceMax; i += 1)
    expect(await stateOf(places.take('a', 1, never))).toBe('taken');
});
