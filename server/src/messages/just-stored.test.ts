import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import { keepStored, takeStored } from './just-stored.ts';
import type { NewMessage } from './message-record.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lists = ['to_addrs', 'cc_addrs', 'reply_to_addrs', 'envelope_to', 'reference_ids'];
const empty = { workspace_id: 'w', subject: '', ...Object.fromEntries(lists.map((list) => [list, []])) };

const openKept = () => {
  const db = {} as Db;
  return {
    keep: (id: string, characters = 10, named = '') =>
      keepStored(db, { ...empty, id, body_text: 'x'.repeat(characters), to_addrs: [named] } as NewMessage),
    take: (...ids: string[]) => [...takeStored(db, 'w', ids).keys()],
    takeOf: (workspaceId: string, ...ids: string[]) => [...takeStored(db, workspaceId, ids).keys()],
  };
};

test('a message is there for whoever comes first, and for nobody after that', () => {
  const kept = openKept();
  for (const id of ['a', 'b', 'c']) kept.keep(id);
  expect(kept.take('c', 'unknown', 'a')).toEqual(['c', 'a']);
  expect(kept.take('a', 'b', 'c')).toEqual(['b']);
  expect(kept.take('a', 'b', 'c')).toEqual([]);
});

test('a workspace has its own messages alone, and leaves those of others where they are', () => {
  const kept = openKept();
  kept.keep('a');
  expect(kept.takeOf('other', 'a')).toEqual([]);
  expect(kept.takeOf('w', 'a')).toEqual(['a']);
});

test('a message for which nobody comes is gone after a second, and no timer goes on', () => {
  const kept = openKept();
  for (let round = 0; round < 3; round++) {
    for (const id of ['early', 'a', 'b', 'c']) kept.keep(id);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(400);
    expect(kept.take('a')).toEqual(['a']);
    vi.advanceTimersByTime(400);
    kept.keep('later');
    expect(kept.take('b')).toEqual(['b']);
    vi.advanceTimersByTime(300);
    expect(kept.take('c', 'early', 'later')).toEqual(['later']);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  }
});

test('no more than four million characters are kept, the newest', () => {
  const kept = openKept();
  const ids = Array.from({ length: 100 }, (_, index) => `${index}`);
  for (const id of ids) kept.keep(id, 60_000);
  const taken = kept.take(...ids);
  expect(taken.at(-1)).toBe('99');
  expect(taken.length).toBeGreaterThan(35);
  expect(taken.length * 60_000).toBeLessThan(4_300_000);
});

test('messages of few characters count too', () => {
  const kept = openKept();
  const ids = Array.from({ length: 10_000 }, (_, index) => `${index}`);
  for (const id of ids) kept.keep(id, 0);
  expect(kept.take(...ids).length).toBeLessThan(4_300);
});

test('what was taken makes room', () => {
  const kept = openKept();
  kept.keep('first');
  for (let index = 0; index < 1_000; index++) {
    kept.keep(`${index}`, 60_000);
    expect(kept.take(`${index}`)).toEqual([`${index}`]);
  }
  expect(kept.take('first')).toEqual(['first']);
});

test('a message with large bodies is not kept, nor one with a large header', () => {
  const kept = openKept();
  kept.keep('small', 60_000);
  kept.keep('large', 65_537);
  kept.keep('named', 0, 'x'.repeat(65_537));
  expect(kept.take('small', 'large', 'named')).toEqual(['small']);
});
