import fc from 'fast-check';
import { typeid } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { idPrefixes, isId, newId } from './ids.ts';

const anyPrefix = fc.constantFrom(...idPrefixes);

describe('newId', () => {
  it('gives ids of its own kind that are never repeated and sort in the order in which they were made', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('msg'));
    expect(ids.every((id) => isId('msg', id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('keeps the order within each millisecond when moments are mixed', () => {
    const early = new Date('2026-11-20T10:00:00.000Z');
    const late = new Date('2026-11-20T10:00:00.001Z');
    const first = newId('evt', early);
    const other = newId('evt', late);
    const second = newId('evt', early);
    expect([second, other, first].sort()).toEqual([first, second, other]);
  });

  it('orders ids by the moment they are made for', () => {
    const moment = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [idA, idB] = [newId('msg', a), newId('msg', b)];
        if (a.getTime() < b.getTime()) expect(idA < idB).toBe(true);
        if (a.getTime() > b.getTime()) expect(idA > idB).toBe(true);
      }),
    );
  });

  it('carries a UUID of version 7 with the moment in it', () => {
    const at = new Date('2026-11-20T10:00:00.123Z');
    const uuid = typeid('inb', newId('inb', at).slice(4)).toUUID();
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(at.getTime());
  });

  it('is not moved by ids that were made for a moment far in the future', () => {
    newId('msg', new Date('2999-01-01'));
    const uuid = typeid('msg', newId('msg').slice(4)).toUUID();
    const ms = Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
    expect(Math.abs(ms - Date.now())).toBeLessThan(15_000);
  });
});

describe('isId', () => {
  it('takes what newId makes, for its own kind only', () => {
    fc.assert(
      fc.property(anyPrefix, anyPrefix, (made, asked) => {
        expect(isId(asked, newId(made))).toBe(made === asked);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['the prefix alone', 'msg_'],
    ['a suffix that is short', 'msg_01jd3v8yq5fzgbkq6n2x7w4cd'],
    ['a suffix that is long', 'msg_01jd3v8yq5fzgbkq6n2x7w4cdef'],
    ['upper case', 'msg_01JD3V8YQ5FZGBKQ6N2X7W4CDE'],
    ['letters outside the alphabet', 'msg_01jd3v8yq5fzgbkq6n2x7w4cdu'],
    ['more than 128 bits', 'msg_81jd3v8yq5fzgbkq6n2x7w4cde'],
    ['a line end after it', 'msg_01jd3v8yq5fzgbkq6n2x7w4cde\n'],
    ['a NUL in it', 'msg_01jd3v8yq5fzgbkq6n2x7w4cd\0'],
    ['another prefix', 'thr_01jd3v8yq5fzgbkq6n2x7w4cde'],
    ['a number', 17],
    ['null', null],
    ['an object that reads like an id', { toString: () => 'msg_01jd3v8yq5fzgbkq6n2x7w4cde' }],
  ])('refuses %s', (_what, value) => {
    expect(isId('msg', value)).toBe(false);
  });

  it('refuses every text in which one character of an id was replaced by one of another alphabet', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 29 }),
        fc.constantFrom(...'ilouILOUAZ-_ é\u0000'),
        (index, char) => {
          const id = newId('msg');
          const changed = id.slice(0, index) + char + id.slice(index + 1);
          expect(isId('msg', changed)).toBe(changed === id);
        },
      ),
    );
  });
});
