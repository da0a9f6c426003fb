import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { byteaList, intList, textList } from './prepared.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const readBack = async (type: string, list: Buffer): Promise<unknown> =>
  (await database.pool.query(`select $1::${type}[] as list`, [list])).rows[0]?.list;

const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));

test('texts arrive as they are: in any script, empty, and none at all', async () => {
  const property = fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
    expect(await readBack('text', textList(texts))).toEqual(texts);
  });
  await fc.assert(property);
});

test('bytes arrive as they are', async () => {
  const bytes = fc.uint8Array().map((value) => Buffer.from(value));
  const property = fc.asyncProperty(fc.array(fc.option(bytes)), async (values) => {
    expect(await readBack('bytea', byteaList(values))).toEqual(values);
  });
  await fc.assert(property);
});

test('whole numbers arrive as they are', async () => {
  const number = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const property = fc.asyncProperty(fc.array(fc.option(number)), async (values) => {
    expect(await readBack('int', intList(values))).toEqual(values);
  });
  await fc.assert(property);
});

test('a list of megabytes arrives whole', async () => {
  const texts = ['ß'.repeat(1_000_000), null, 'x'.repeat(3_000_000)];
  expect(await readBack('text', textList(texts))).toEqual(texts);
});

test('a text that no database can hold is refused as data, and the connection goes on', async () => {
  await expect(readBack('text', textList(['a', 'b\0c']))).rejects.toMatchObject({ code: '22021' });
  expect(await readBack('text', textList(['a']))).toEqual(['a']);
});

test('half of a surrogate pair is replaced, as everywhere in UTF-8', async () => {
  expect(await readBack('text', textList(['a\ud800b']))).toEqual(['a\ufffdb']);
});
