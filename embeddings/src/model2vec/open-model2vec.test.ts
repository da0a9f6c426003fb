import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openModel2vec } from './open-model2vec.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'potion-'));
});

afterEach(() => rm(folder, { recursive: true }));

const { signal } = new AbortController();
const words = ['[PAD]', '[UNK]', 'pay', 'invoice', 'sun'];
const rows = [0, 0, 9, 9, 3, 0, 0, 4, -1, 1];

interface Part {
  dtype: string;
  shape: number[];
  bytes: Buffer;
}

const numbers = (dtype: string, shape: number[], values: number[]): Part => {
  const sizes: Record<string, number> = { F64: 8, F32: 4, F16: 2, I8: 1, I64: 8 };
  const bytes = Buffer.alloc(values.length * sizes[dtype]!);
  for (const [at, value] of values.entries()) {
    if (dtype === 'F64') bytes.writeDoubleLE(value, 8 * at);
    if (dtype === 'F32') bytes.writeFloatLE(value, 4 * at);
    if (dtype === 'F16') bytes.writeUInt16LE(halves.get(value)!, 2 * at);
    if (dtype === 'I8') bytes.writeInt8(value, at);
    if (dtype === 'I64') bytes.writeBigInt64LE(BigInt(value), 8 * at);
  }
  return { dtype, shape, bytes };
};

/** From the definition of binary16. */
const halves = new Map([
  [0, 0x0000],
  [1, 0x3c00],
  [-1, 0xbc00],
  [3, 0x4200],
  [4, 0x4400],
  [9, 0x4880],
]);

const safetensors = (parts: Record<string, Part>): Buffer => {
  let end = 0;
  const entries = Object.entries(parts).map(([name, { dtype, shape, bytes }]) => {
    const start = end;
    end += bytes.length;
    return [name, { dtype, shape, data_offsets: [start, end] }];
  });
  const header = Buffer.from(
    JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) }),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...Object.values(parts).map(({ bytes }) => bytes)]);
};

const tokenizer = {
  normalizer: { type: 'BertNormalizer', lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};

const write = async (parts: Record<string, Part> | Buffer, tokens: unknown = tokenizer) => {
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokens));
  await writeFile(join(folder, 'model.safetensors'), Buffer.isBuffer(parts) ? parts : safetensors(parts));
};

const problem = () =>
  openModel2vec(folder).then(
    () => 'none',
    (reason: Error) => reason.message,
  );

describe('a folder with a model2vec model', () => {
  test.each(['F32', 'F16', 'F64', 'I8'])(
    'gives the mean of the rows of the tokens, from %s',
    async (dtype) => {
      await write({ embeddings: numbers(dtype, [5, 2], rows) });
      const model = await openModel2vec(folder);
      expect(model.dimensions).toBe(2);
      // (3 + 0, 0 + 4) / 2 has the length 2.5.
      const [both, one, unknown] = await model.embedMany(
        ['Pay invoice!', 'SUN sun', 'nothing known'],
        signal,
      );
      expect([...both!]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)]);
      expect([...one!]).toEqual([expect.closeTo(-Math.SQRT1_2, 6), expect.closeTo(Math.SQRT1_2, 6)]);
      expect([...unknown!]).toEqual([0, 0]);
      expect(await model.embedQuery('pay invoice', signal)).toEqual(both);
      await model.close();
    },
  );

  test('weighs tokens and shares rows, if it has weights and a mapping', async () => {
    await write({
      mapping: numbers('I64', [5], [0, 0, 1, 2, 1]),
      embeddings: numbers('F32', [3, 2], [0, 0, 1, 0, 0, 1]),
      weights: numbers('F64', [5], [0, 0, 3, 4, 5]),
    });
    const model = await openModel2vec(folder);
    expect([...(await model.embedQuery('pay invoice', signal))]).toEqual([
      expect.closeTo(0.6, 6),
      expect.closeTo(0.8, 6),
    ]);
    expect([...(await model.embedQuery('sun', signal))]).toEqual([1, 0]);
  });

  test('is named by its folder, and its version is that of its content', async () => {
    await write({ embeddings: numbers('F32', [5, 2], rows) });
    const first = await openModel2vec(`${folder}/`);
    expect(first.name).toBe(`model2vec:${folder.split('/').at(-1)}`);
    expect((await openModel2vec(folder)).version).toBe(first.version);
    await write({ embeddings: numbers('F32', [5, 2], rows.with(4, 2)) });
    expect((await openModel2vec(folder)).version).not.toBe(first.version);
  });

  test('leaves the event loop to others while it embeds many texts', async () => {
    await write({ embeddings: numbers('F32', [5, 2], rows) });
    const model = await openModel2vec(folder);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await model.embedMany(
      Array.from({ length: 300 }, () => 'pay the invoice '.repeat(300)),
      signal,
    );
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });

  test('reads so much of a text and no more', async () => {
    await write({ embeddings: numbers('F32', [5, 2], rows) });
    const model = await openModel2vec(folder);
    const pays = 'pay '.repeat(1_000);
    expect([...(await model.embedQuery(`${pays}${'invoice '.repeat(9_000)}`, signal))]).toEqual([1, 0]);
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(model.embedMany(['pay'], stop.signal)).rejects.toThrow('stopped');
  });
});

describe('a folder that has no such model', () => {
  test('because it is empty is refused', async () => {
    expect(await problem()).toMatch(/ENOENT.*tokenizer\.json/);
  });

  test.each<[about: string, parts: () => Record<string, Part> | Buffer, message: string]>([
    ['an empty file', () => Buffer.alloc(0), 'no header'],
    ['a header longer than the file', () => Buffer.from('ffffff0000000000', 'hex'), 'no header'],
    ['something else', () => Buffer.from('PK\u0003\u0004 this is not a table of vectors'), 'no header'],
    ['no table', () => ({ other: numbers('F32', [1], [1]) }), 'no table "embeddings"'],
    ['a table of one dimension', () => ({ embeddings: numbers('F32', [10], rows) }), 'no table "embeddings"'],
    [
      'an unknown type of numbers',
      () => ({ embeddings: { ...numbers('F32', [5, 2], rows), dtype: 'F8' } }),
      'type F8',
    ],
    [
      'a type that objects have',
      () => ({ embeddings: { ...numbers('F32', [5, 2], rows), dtype: 'toString' } }),
      'type toString',
    ],
    [
      'too few bytes',
      () => safetensors({ embeddings: numbers('F32', [5, 2], rows) }).subarray(0, -1),
      'not whole',
    ],
    ['a shape that does not fit', () => ({ embeddings: numbers('F32', [50, 2], rows) }), 'not whole'],
    ['a negative shape', () => ({ embeddings: numbers('F32', [-5, -2], rows) }), 'does not describe'],
    ['fewer rows than tokens', () => ({ embeddings: numbers('F32', [2, 2], rows.slice(0, 4)) }), '2 rows'],
    [
      'a mapping to rows that are not there',
      () => ({ embeddings: numbers('F32', [1, 2], [1, 0]), mapping: numbers('I64', [5], [0, 0, 0, 0, 1]) }),
      '1 rows',
    ],
    [
      'a mapping to no row',
      () => ({ embeddings: numbers('F32', [5, 2], rows), mapping: numbers('I64', [5], [0, 0, 0, 0, -1]) }),
      'not that of a row',
    ],
    [
      'too few weights',
      () => ({ embeddings: numbers('F32', [5, 2], rows), weights: numbers('F32', [2], [1, 1]) }),
      '2 numbers for 5 tokens',
    ],
  ])('because of %s is refused', async (_, parts, message) => {
    await write(parts());
    expect(await problem()).toContain(message);
  });

  test('because of its tokenizer is refused', async () => {
    await write({ embeddings: numbers('F32', [5, 2], rows) }, { model: { type: 'BPE' } });
    expect(await problem()).toContain('WordPiece or Unigram');
  });
});
