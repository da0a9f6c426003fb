import { expect, test } from 'vitest';
import { createKeyGate } from './callers.ts';

const guess = (gateFor: ReturnType<typeof createKeyGate>, address: string, key: string, isKnown = false) => {
  const gate = gateFor(() => address);
  try {
    gate.admit(key);
  } catch (error) {
    return (error as { body(id: string): Record<string, unknown> }).body('req_1').retry_after_seconds;
  }
  gate.note(key, isKnown);
  return 'looked up';
};
const flood = (gateFor: ReturnType<typeof createKeyGate>, address: string, count = 100) =>
  Array.from({ length: count }, (_, i) => guess(gateFor, address, `bad${i}`));

test('a client may show a hundred unknown keys at once, and then one each second', () => {
  let now = 0;
  const gateFor = createKeyGate(() => now);
  expect(new Set(flood(gateFor, '192.0.2.1'))).toEqual(new Set(['looked up']));
  expect(guess(gateFor, '192.0.2.1', 'bad')).toBe(1);
  now = 999;
  expect(guess(gateFor, '192.0.2.1', 'bad')).toBe(1);
  now = 1_000;
  expect([guess(gateFor, '192.0.2.1', 'bad'), guess(gateFor, '192.0.2.1', 'bad')]).toEqual(['looked up', 1]);
});

test('others are not touched, and an IPv6 network of 64 bits is one client', () => {
  const gateFor = createKeyGate(() => 0);
  flood(gateFor, '192.0.2.1');
  expect(guess(gateFor, '192.0.2.2', 'good', true)).toBe('looked up');
  for (let i = 0; i < 100; i += 1) guess(gateFor, `2001:db8:1:2::${i.toString(16)}`, `bad${i}`);
  expect(guess(gateFor, '2001:db8:1:2:ffff::1', 'bad')).toBe(1);
  expect(guess(gateFor, '2001:db8:1:3::1', 'bad')).toBe('looked up');
});

test('a key that was good is looked up from anywhere, until it is not good any more', () => {
  const gateFor = createKeyGate(() => 0);
  guess(gateFor, '192.0.2.9', 'good', true);
  flood(gateFor, '192.0.2.1');
  expect(guess(gateFor, '192.0.2.1', 'good', true)).toBe('looked up');
  expect(guess(gateFor, '192.0.2.1', 'new', true)).toBe(1);
  expect(guess(gateFor, '192.0.2.1', 'good', false)).toBe('looked up');
  expect(guess(gateFor, '192.0.2.1', 'good', false)).toBe(1);
});

test('clients on this machine are never refused', () => {
  const gateFor = createKeyGate(() => 0);
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(new Set(flood(gateFor, address, 300))).toEqual(new Set(['looked up']));
});

test('good keys are not counted, however many', () => {
  const gateFor = createKeyGate(() => 0);
  for (let i = 0; i < 1_000; i += 1) guess(gateFor, '192.0.2.1', `good${i}`, true);
  expect(guess(gateFor, '192.0.2.1', 'bad')).toBe('looked up');
});

test('more clients and keys than are kept let the oldest begin anew', () => {
  const gateFor = createKeyGate(() => 0, 20);
  flood(gateFor, '192.0.2.1');
  expect(guess(gateFor, '192.0.2.1', 'bad')).toBe(1);
  for (let i = 0; i < 20; i += 1) guess(gateFor, `198.51.100.${i}`, 'bad');
  expect(guess(gateFor, '192.0.2.1', 'bad')).toBe('looked up');
});
