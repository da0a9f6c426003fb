import { expect, test } from 'vitest';
import { loosenObject } from './loosen-object.ts';

test('sets limits that are there, to a number or a switch', () => {
  const limits = { answerBytesMax: 4, addressesMax: 2_000, loopbackExempt: true };
  loosenObject('contract', limits, {
    answerBytesMax: 1_000_000_000,
    addressesMax: 100,
    loopbackExempt: false,
  });
  expect(limits).toEqual({
    answerBytesMax: 1_000_000_000,
    addressesMax: 100,
    loopbackExempt: false,
  });
});

test('refuses a name that is not there, so that no control is about a limit that is gone', () => {
  const limits = { answerBytesMax: 4 };
  expect(() => loosenObject('contract', limits, { answerByteMax: 1_000_000_000 })).toThrow(
    'There is no such limit: contract answerByteMax',
  );
  loosenObject('contract', limits, { 'answerByteMax?': 1_000_000_000 });
  expect(limits).toEqual({ answerBytesMax: 4 });
});

test('refuses an object that cannot be changed', () => {
  expect(() => loosenObject('contract', Object.freeze({ a: 1 }), { a: 1_000_000_000 })).toThrow(TypeError);
});
