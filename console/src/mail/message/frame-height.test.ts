import { expect, test } from 'vitest';
import { readFrameHeight } from './frame-height.ts';

test('a frame is as tall as the page in it tells, within limits', () => {
  expect(readFrameHeight({ mailHeight: 480.2 }, 12_000)).toBe(481);
  expect(readFrameHeight({ mailHeight: 3 }, 12_000)).toBe(40);
  expect(readFrameHeight({ mailHeight: 1e9 }, 12_000)).toBe(12_000);
});

test.each([
  null,
  undefined,
  7,
  'mailHeight',
  {},
  { mailHeight: '480' },
  { mailHeight: Number.NaN },
  { mailHeight: Number.POSITIVE_INFINITY },
  { mailHeight: -5 },
  { mailHeight: [480] },
])('nothing else is taken for a height: %j', (told) => {
  expect(readFrameHeight(told, 12_000)).toBeNull();
});
