import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { centred } from '../scripts/centred.ts';
import { encodeTable } from '../scripts/encode-table.ts';
import { coinedWords, mailWords } from '../scripts/mail-words.ts';
import { loadWordTable, tablePath, type WordTable } from '../src/index.ts';

const vectorOf = ({ words, rows, scales, dimensions }: WordTable, word: string) => {
  const row = words.get(word);
  if (row === undefined) throw new Error(`The table does not know "${word}".`);
  return Array.from(rows.subarray(row * dimensions, (row + 1) * dimensions), (value) => value * scales[row]!);
};

const dot = (one: number[], other: number[]) => one.reduce((sum, value, at) => sum + value * other[at]!, 0);
const cosine = (one: number[], other: number[]) =>
  dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));

const temporaryFile = async (content: Buffer) => {
  const folder = await mkdtemp(join(tmpdir(), 'words-en-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'table.bin');
  await writeFile(path, content);
  return path;
};

describe('the table of words', () => {
  test('is the file that its script made', async () => {
    const hash = createHash('sha256')
      .update(await readFile(tablePath))
      .digest('hex');
    expect(hash).toBe('f9e73fffdccbe19e796e23164192200df99d9cef3b5457ec32c90070972f83cd');
    expect(await loadWordTable()).toMatchObject({ name: 'words-en-1', checksum: hash.slice(0, 16) });
  });

  test('has 60,000 words of letters, the most frequent first, with 100 numbers each', async () => {
    const { words, rows, scales, dimensions } = await loadWordTable();
    expect([words.size, dimensions, rows.length, scales.length]).toEqual([60_000, 100, 6_000_000, 60_000]);
    expect([...words.keys()].slice(0, 8)).toEqual(['the', 'of', 'to', 'and', 'in', 'for', 'that', 'on']);
    expect([...words.keys()].filter((word) => !/^[a-z]{1,24}$/.test(word))).toEqual([]);
    expect(rows.every((value) => value >= -127)).toBe(true);
    expect(scales.every((scale) => scale > 0 && scale < 1)).toBe(true);
  });

  test('knows the words of mail', async () => {
    const { words } = await loadWordTable();
    expect([...mailWords, ...coinedWords.keys()].filter((word) => !words.has(word))).toEqual([]);
  });

  test('has vectors that point the same way for words of one meaning', async () => {
    const table = await loadWordTable();
    const likeness = (one: string, other: string) => cosine(vectorOf(table, one), vectorOf(table, other));
    expect(likeness('car', 'automobile')).toBeGreaterThan(0.5);
    expect(likeness('car', 'tomato')).toBeLessThan(0.2);
    expect(likeness('password', 'passwords')).toBeGreaterThan(likeness('password', 'flight') + 0.4);
  });

  test('that is cut or empty is refused', async () => {
    const whole = await readFile(tablePath);
    for (const content of [whole.subarray(0, -1), whole.subarray(0, 11), Buffer.alloc(0), Buffer.alloc(12)])
      await expect(loadWordTable(await temporaryFile(content))).rejects.toThrow('not a whole table');
    await expect(loadWordTable(join(tmpdir(), 'no-such-table.bin'))).rejects.toThrow('ENOENT');
  });
});

describe('the script of the table', () => {
  test('writes what is read, rounded to 1/127 of the largest number of a row', async () => {
    const rows = Float64Array.from([1, -0.5, 0.25, 0, 100, 20]);
    const table = await loadWordTable(await temporaryFile(encodeTable(['one', 'two'], rows, 3)));
    expect([...table.words]).toEqual([
      ['one', 0],
      ['two', 1],
    ]);
    expect([...table.rows]).toEqual([127, -64, 32, 0, 127, 25]);
    expect(vectorOf(table, 'two')[2]).toBeCloseTo(20, 0);
  });

  test('takes the mean and the directions of the largest variance away', () => {
    // Points that differ along (1, 1, 0) most, and a little along the third axis.
    const rows = Float64Array.from([9, 9, 1, 1, 1, 1, 9, 9, -1, 1, 1, -1]);
    const left = centred(rows, 3, 1);
    for (const [at, value] of [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, -1].entries())
      expect(left[at]).toBeCloseTo(value, 8);
    expect([...centred(rows, 3, 0)]).toEqual([4, 4, 1, -4, -4, 1, 4, 4, -1, -4, -4, -1]);
  });
});
