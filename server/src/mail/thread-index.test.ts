import { expect, test } from 'vitest';
import { answerTo, conversationId, isAnswer, readThreadIndex } from './thread-index.ts';

/** Of a mail that Outlook wrote on 2 June 2021, and of an answer to it half an hour later. */
const first = 'AddXfFlMOm8rG4MJR2KgHQtVQxYl9g==';
const at = new Date('2021-06-02T08:30:00Z');

test('an answer to a mail is of the same conversation, and says when it was written', () => {
  const answer = answerTo(first, at);
  expect(readThreadIndex(answer)).toBe(answer);
  expect(Buffer.from(answer, 'base64').subarray(0, 22)).toEqual(Buffer.from(first, 'base64'));
  expect([isAnswer(first), isAnswer(answer)]).toEqual([false, true]);
  expect(conversationId(answerTo(answer, at))).toBe(conversationId(first));
  expect(answerTo(first, at)).toBe(answer);
  expect(answerTo(first, new Date(at.getTime() + 60_000))).not.toBe(answer);
  // Bits 18 to 48 of the time since the first mail, in steps of 100 ns.
  const bytes = Buffer.from(first, 'base64');
  const begun = bytes.readBigUInt64BE(0) & ~0xffffn;
  const steps = (BigInt(at.getTime()) + 11_644_473_600_000n) * 10_000n - begun;
  expect(BigInt(Buffer.from(answer, 'base64').readUInt32BE(22))).toBe((steps >> 18n) & 0x7fff_ffffn);
});

test('an answer of years later has its time in the larger unit', () => {
  const answer = Buffer.from(answerTo(first, new Date('2025-06-02T08:30:00Z')), 'base64');
  expect(answer.readUInt32BE(22) >>> 31).toBe(1);
});

test('white space in the field is none of it', () => {
  expect(readThreadIndex(` ${first.slice(0, 9)} \t${first.slice(9)} `)).toBe(first);
});

test.each(['', 'none', 'AQ==', Buffer.alloc(24).toString('base64'), '<1@x.y>', 'A'.repeat(2_000)])(
  '%s is no such field',
  (value) => {
    expect(readThreadIndex(value)).toBeNull();
  },
);

test('very many answers make it no longer', () => {
  let index = first;
  for (let n = 0; n < 200; n += 1) index = answerTo(index, at);
  expect(readThreadIndex(index)).toBe(index);
  expect(index.length).toBeLessThan(800);
});
