import { expect, test } from 'vitest';
import { TurnQueue } from './turn-queue.ts';

test('whoever waits gets turns one after another, and the items of one leave in their order', () => {
  const queue = new TurnQueue<string>();
  for (let i = 0; i < 4; i += 1) queue.push('a', `a${i}`);
  expect([queue.shift(), queue.peek()]).toEqual(['a0', 'a1']);
  queue.push('b', 'b0');
  queue.push('c', 'c0');
  queue.push('b', 'b1');
  expect(queue.length).toBe(6);
  const order = Array.from({ length: 7 }, () => queue.shift());
  expect(order).toEqual(['a1', 'b0', 'c0', 'a2', 'b1', 'a3', undefined]);
  expect([queue.length, queue.peek()]).toEqual([0, undefined]);
});

test('ten thousand items of one hold up nobody', () => {
  const queue = new TurnQueue<number>();
  for (let i = 0; i < 10_000; i += 1) queue.push('flood', i);
  queue.push('honest', -1);
  expect([queue.shift(), queue.shift()]).toEqual([0, -1]);
});

test('who may not have a turn is passed over and keeps its place, and an item that was removed has none', () => {
  const queue = new TurnQueue<string>();
  for (const item of ['a0', 'b0', 'a1', 'c0']) queue.push(item.slice(0, 1), item);
  queue.remove('a', 'a1');
  queue.remove('c', 'none');
  expect(queue.shift((owner) => owner !== 'a')).toBe('b0');
  expect([queue.shift(), queue.shift(), queue.shift(), queue.length]).toEqual(['a0', 'c0', undefined, 0]);
  queue.push('d', 'd0');
  queue.remove('d', 'd0');
  expect([queue.shift(), queue.length]).toEqual([undefined, 0]);
});
