import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

test('whoever waits gets turns one after another, and the items of one leave in their order', () => {
  const queue = new FairQueue<string>();
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
  const queue = new FairQueue<number>();
  for (let i = 0; i < 10_000; i += 1) queue.push('flood', i);
  queue.push('honest', -1);
  expect([queue.shift(), queue.shift()]).toEqual([0, -1]);
});

test('who may not have a turn is passed over and keeps its place, and an item that was removed has none', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a0', 'b0', 'a1', 'c0']) queue.push(item.slice(0, 1), item);
  queue.remove('a', 'a1');
  queue.remove('c', 'none');
  expect(queue.shift((owner) => owner !== 'a')).toBe('b0');
  expect([queue.shift(), queue.shift(), queue.shift(), queue.length]).toEqual(['a0', 'c0', undefined, 0]);
  queue.push('d', 'd0');
  queue.remove('d', 'd0');
  expect([queue.shift(), queue.length]).toEqual([undefined, 0]);
});

test('an item that costs as much as several leaves after as many turns, however many large ones wait', () => {
  const queue = new FairQueue<string>();
  for (let i = 0; i < 3; i += 1) queue.push('large', `L${i}`, 4);
  for (let i = 0; i < 9; i += 1) queue.push('small', `s${i}`);
  expect([queue.lengthOf('large'), queue.lengthOf('nobody')]).toEqual([3, 0]);
  expect([queue.peek(), queue.firstOf('large'), queue.firstOf('nobody')]).toEqual(['s0', 'L0', undefined]);
  const order = Array.from({ length: 12 }, () => [queue.peek(), queue.shift()]);
  for (const [peeked, shifted] of order) expect(peeked).toBe(shifted);
  expect(order.map(([, shifted]) => shifted).join(' ')).toBe('s0 s1 s2 L0 s3 s4 s5 s6 L1 s7 s8 L2');
  expect(queue.length).toBe(0);
});

test('a costly item that waits alone leaves at once, and whoever comes anew has saved up nothing', () => {
  const queue = new FairQueue<string>();
  queue.push('a', 'a0', 2.5);
  expect([queue.shift(), queue.shift()]).toEqual(['a0', undefined]);
  queue.push('a', 'a1', 2);
  queue.push('b', 'b0');
  expect([queue.shift(), queue.shift()]).toEqual(['b0', 'a1']);
});
