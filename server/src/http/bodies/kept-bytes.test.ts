import { expect, test } from 'vitest';
import { keepBytes } from './read-body.ts';

const text = (kept: ReturnType<typeof keepBytes>) => kept.whole()?.toString() ?? null;

test.each([null, 26, 100])('keeps what comes in parts, declared as %s', (declared) => {
  for (const partBytes of [1, 5, 26]) {
    const kept = keepBytes(declared, 100);
    const bytes = Buffer.from('abcdefghijklmnopqrstuvwxyz');
    for (let at = 0; at < 26; at += partBytes) kept.add(bytes.subarray(at, at + partBytes));
    expect(text(kept)).toBe('abcdefghijklmnopqrstuvwxyz');
  }
  expect(text(keepBytes(declared, 100))).toBe('');
});

test('keeps nothing of more than it may', () => {
  expect(text(keepBytes(11, 10))).toBe(null);
  for (const declared of [null, 10]) {
    const kept = keepBytes(declared, 10);
    for (let i = 0; i < 10; i += 1) kept.add(Buffer.from('x'));
    expect(text(kept)).toBe('xxxxxxxxxx');
    kept.add(Buffer.from('x'));
    expect(text(kept)).toBe(null);
    kept.add(Buffer.from('x'));
    expect(text(kept)).toBe(null);
  }
});

test('megabytes in parts of one byte take no more memory than their bytes', () => {
  const before = process.memoryUsage();
  const kept = keepBytes(null, 11_000_000);
  const part = Buffer.from('x');
  for (let i = 0; i < 3_000_000; i += 1) kept.add(part);
  const after = process.memoryUsage();
  expect(after.external - before.external).toBeLessThan(20_000_000);
  expect(after.heapUsed - before.heapUsed).toBeLessThan(20_000_000);
  expect(kept.whole()?.length).toBe(3_000_000);
});
