import { expect, test } from 'vitest';
import { readVectors } from './post-texts.ts';

const good = [3, 4, 0];

test('vectors are put into the order of the texts and get unit length', () => {
  const answer = {
    data: [
      { index: 1, embedding: [0, 0, 2] },
      { index: 0, embedding: good },
    ],
  };
  const [first, second] = readVectors(answer, 2, 3) as Float32Array[];
  expect([...first!]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6), 0]);
  expect([...second!]).toEqual([0, 0, 1]);
});

test('a vector of zeros stays one', () => {
  expect(readVectors({ data: [{ embedding: [0, 0, 0] }] }, 1, 3)).toEqual([new Float32Array(3)]);
});

test.each<[about: string, answer: unknown, problem: string]>([
  ['null', null, 'no list `data`'],
  ['a text', 'data', 'no list `data`'],
  ['no list', { vectors: [] }, 'no list `data`'],
  ['too few vectors', { data: [] }, '0 vectors for 1 texts'],
  ['too many vectors', { data: [{ embedding: good }, { embedding: good }] }, '2 vectors for 1 texts'],
  [
    'other dimensions',
    { data: [{ embedding: [1, 2] }] },
    'have 2 dimensions: set POSTRIDER_EMBEDDINGS_DIMENSIONS',
  ],
  ['no entry', { data: [null] }, 'not a list of numbers'],
  ['base64', { data: [{ embedding: 'AAAA' }] }, 'not a list of numbers'],
  ['null for a number', { data: [{ embedding: [null, 4, 0] }] }, 'not a list of numbers'],
  ['a number that float32 does not hold', { data: [{ embedding: [1e300, 4, 0] }] }, 'not a list of numbers'],
  [
    'a place that is not there',
    { data: [{ index: 7, embedding: good }] },
    'which vector belongs to which text',
  ],
  [
    'a place that is no number',
    { data: [{ index: 'length', embedding: good }] },
    'which vector belongs to which text',
  ],
])('%s is a problem, not a vector', (_, answer, problem) => {
  expect(readVectors(answer, 1, 3)).toContain(problem);
});

test('two vectors of one text are a problem', () => {
  const data = [0, 0].map((index) => ({ index, embedding: good }));
  expect(readVectors({ data }, 2, 3)).toContain('which vector belongs to which text');
});
