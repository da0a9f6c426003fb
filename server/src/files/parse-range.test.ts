import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from './serve-file.ts';

describe('parseRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes=3-5', { start: 3, end: 5 }],
    ['bytes=9-', { start: 9, end: 9 }],
    ['bytes=5-1000', { start: 5, end: 9 }],
    ['bytes=5-99999999999999999999999', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-1000', { start: 0, end: 9 }],
    ['Bytes= 3-5 ', { start: 3, end: 5 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [undefined, null],
    ['', null],
    ['bytes', null],
    ['bytes=', null],
    ['bytes=-', null],
    ['bytes=5-3', null],
    ['bytes=1e0-2', null],
    ['bytes=0x1-2', null],
    ['bytes=+1-2', null],
    ['bytes=a-b', null],
    ['bytes=0-1,3-4', null],
    ['lines=0-1', null],
  ])('reads %j of ten bytes', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  it('has nothing of an empty file to give', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
      expect(parseRange(header, 0)).toBe('unsatisfiable');
    expect(parseRange(undefined, 0)).toBeNull();
  });

  it('never names bytes that the file does not have', () => {
    const number = fc.oneof(fc.constant(''), fc.nat(30).map(String), fc.bigInt({ min: 0n }).map(String));
    fc.assert(
      fc.property(number, number, fc.nat(20), (first, last, sizeBytes) => {
        const range = parseRange(`bytes=${first}-${last}`, sizeBytes);
        if (range === null || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(sizeBytes);
      }),
    );
  });
});
