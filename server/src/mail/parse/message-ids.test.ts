import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isThreadId, readMessageIds, readOwnMessageId, readReferences } from './message-ids.ts';

test.each([
  ['<a@b.c>', ['<a@b.c>']],
  ['<a@b.c><d@e.f>', ['<a@b.c>', '<d@e.f>']],
  ['<a@b.c>,\t<d@e.f> ;<a@b.c>', ['<a@b.c>', '<d@e.f>']],
  ['Message from Anna of "Mon" <a@b.c> (see there)', ['<a@b.c>']],
  ['a@b.c d@e.f', ['<a@b.c>', '<d@e.f>']],
  ['<no-domain>', ['<no-domain>']],
  ['<a@b.c', ['<a@b.c>']],
  ['<>', []],
  ['< a@b.c >', ['<a@b.c>']],
  ['words only', []],
  [`<${'x'.repeat(2_000)}@y.z> <a@b.c>`, ['<a@b.c>']],
  ['<a\0@b.c>', ['<a@b.c>']],
])('finds the ids in %j', (value, ids) => {
  expect(readMessageIds(value)).toEqual(ids);
});

test('a mail’s own id may lack brackets and an at sign', () => {
  expect(readOwnMessageId('abc123')).toBe('<abc123>');
  expect(readOwnMessageId('<abc 123>')).toBeNull();
  expect(readOwnMessageId('')).toBeNull();
  expect(readOwnMessageId('x'.repeat(5_000))).toBeNull();
});

test('of a long chain the first and the last 499 references are kept, each once, in order and without the mail itself', () => {
  const chain = Array.from({ length: 900 }, (_, i) => `<${i}@x.y>`);
  const found = readReferences([chain.join(' '), '<899@x.y> <self@x.y>\t<5@x.y>'], '<self@x.y>');
  expect(found).toHaveLength(500);
  expect(found.slice(-2)).toEqual(['<899@x.y>', '<5@x.y>']);
  expect(found.slice(0, 2)).toEqual(['<0@x.y>', '<402@x.y>']);
});

test('a word of a megabyte without an at sign is passed over at once', () => {
  const passes = measurePasses(() => {
    expect(readMessageIds('i'.repeat(1_000_000))).toEqual([]);
    expect(readMessageIds(`${'i'.repeat(1_000_000)}@`)).toEqual([]);
    expect(readMessageIds('@'.repeat(1_000_000))).toEqual([]);
    expect(readMessageIds(`a@b.c ${'i'.repeat(1_000_000)} @b c@`)).toEqual(['<a@b.c>']);
  });
  expect(passes).toBeLessThan(textPassesMax);
});

test('whatever the value, ids have brackets, no blanks and a bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (value) => {
      for (const id of readMessageIds(value)) expect(id).toMatch(/^<[^<>\s\0]{1,995}>$/);
    }),
    { numRuns: 300 },
  );
});

test.each([
  '<a@b>',
  '<1@x.y>',
  '<0@localhost>',
  '<CAF+null=1@mail.example>',
  '<nullable@x.y>',
  '<{0F3A-11}@x.y>',
  '<a%b@x.y>',
])('an id that may be unique finds a thread: %s', (id) => expect(isThreadId(id)).toBe(true));

test.each([
  '<null>',
  '<undefined>',
  '<>',
  '<@>',
  '<1>',
  '<@x.y>',
  '<a@>',
  '<null@null>',
  '<undefined@x.y>',
  '<"None"@x.y>',
  '<NaN@x.y>',
  '<(null)@x.y>',
  '<{{id}}@x.y>',
  '<\u0024{messageId}@x.y>',
  '<%s@x.y>',
])('an id that many mails of strangers have finds none: %s', (id) => expect(isThreadId(id)).toBe(false));

test('an address of the mail is no id of another', () => {
  const addresses = new Set(['support@inbox.example']);
  expect(isThreadId('<Support@inbox.example>', addresses)).toBe(false);
  expect(isThreadId('<1.support@inbox.example>', addresses)).toBe(true);
});
