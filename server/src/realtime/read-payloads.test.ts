import { expect, test } from 'vitest';
import type { EventPayloads } from '../messages/render-events.ts';
import { rowsAfter } from './read-payloads.ts';

const frames = (count: number, bytesEach: number): EventPayloads =>
  new Map(
    Array.from({ length: count }, (_, n) => [
      `evt_${n}`,
      { kind: 'message.received' as const, hasMessage: true, bytes: Buffer.alloc(bytesEach) },
    ]),
  );

test('the next part has as many events as are likely to be half a megabyte, from 25 to 100', () => {
  expect(rowsAfter(frames(25, 128 * 1_024), 25)).toBe(25);
  expect(rowsAfter(frames(25, 8_192), 25)).toBe(64);
  expect(rowsAfter(frames(64, 8_192), 64)).toBe(64);
  expect(rowsAfter(frames(3, 300), 25)).toBe(100);
  expect(rowsAfter(new Map(), 100)).toBe(100);
});
