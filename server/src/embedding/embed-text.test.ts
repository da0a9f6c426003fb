import { createHash } from 'node:crypto';
import { loadWordTable, type WordTable } from '@postrider/words-en';
import { beforeAll, describe, expect, test } from 'vitest';
import { embedText } from './words.ts';

let table: WordTable;

beforeAll(async () => {
  table = await loadWordTable();
});

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);
const likeness = (one: string, other: string) => dot(embedText(table, one), embedText(table, other));
const vectorLength = (vector: Float32Array) => Math.sqrt(dot(vector, vector));

const mail = `Your invoice INV-2026-0419 is overdue. Please don't forget to pay it, or we'll charge a late fee.
Gruesse aus Koeln, Jürgen Müller. 請求書を添付します. Call +49 221 123456, https://pay.example.com/i/88213?x=1`;

describe('the vector of a text', () => {
  test('has unit length, whatever the text is made of', () => {
    for (const text of [
      'a',
      'the',
      mail,
      'xkcdq zzzyx',
      '12345',
      '日本語',
      'ünïcödé',
      'x'.repeat(8_000),
      "'s",
    ])
      expect(vectorLength(embedText(table, text)), text.slice(0, 20)).toBeCloseTo(1, 5);
  });

  test('is zero for a text without words', () => {
    for (const text of ['', ' \n\t', '.,;:!?', '👍🏽', '\ud800'])
      expect(
        embedText(table, text).every((value) => value === 0),
        JSON.stringify(text),
      ).toBe(true);
  });

  test('has the same bits on every machine', () => {
    const { buffer } = embedText(table, mail);
    expect(createHash('sha256').update(new Uint8Array(buffer)).digest('hex').slice(0, 16)).toBe(
      '1f2a68917369663a',
    );
  });

  test('is nearer to one with the same meaning than to one about something else', () => {
    const refund = 'I would like my money back. The blender that you shipped does not work.';
    expect(likeness('refund for a broken appliance', refund)).toBeGreaterThan(
      likeness('boarding pass for the flight to Lisbon', refund) + 0.1,
    );
    const meeting = 'Can we move our call to Thursday?';
    expect(likeness('reschedule the meeting', meeting)).toBeGreaterThan(
      likeness('monthly salary', meeting) + 0.1,
    );
  });

  test('is near to one with a typo, and to one of another case or with marks', () => {
    expect(likeness('recieve my pasword', 'receive my password')).toBeGreaterThan(
      likeness('recieve my pasword', 'holiday in the mountains') + 0.1,
    );
    expect(likeness('Müller CAFÉ', 'muller café')).toBeCloseTo(1, 5);
  });

  test('tells numbers and names apart that no table knows', () => {
    const invoice = 'invoice INV-2026-0419';
    expect(likeness(invoice, 'INV-2026-0419')).toBeGreaterThan(likeness(invoice, 'INV-1998-7731'));
    expect(likeness('請求書', '請求書を添付します')).toBeGreaterThan(likeness('請求書', '会議の予定') + 0.2);
  });

  test('hardly changes by frequent words and by short forms', () => {
    expect(likeness('the status of the refund', 'status refund')).toBeGreaterThan(0.95);
    expect(likeness("can't", 'cannot')).toBeGreaterThan(likeness("can't", 'apple'));
  });
});
