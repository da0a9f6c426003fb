import { describe, expect, test } from 'vitest';
import { type Compared, fuse } from './find-near.ts';
import { byScore } from './match-slice.ts';

const order = (messages: Partial<Compared>[]) =>
  fuse(messages.map((message) => ({ id: '', keyword: null, coverage: 0, cosine: null, ...message })))
    .sort(byScore)
    .map(({ id }) => id);

describe('fuse', () => {
  test('puts messages with all words first, however near others are', () => {
    expect(
      order([
        { id: 'near', cosine: 0.9, coverage: 0.6, keyword: 400_000 },
        { id: 'complete', cosine: null, coverage: 1, keyword: 520_000 },
      ]),
    ).toEqual(['complete', 'near']);
  });

  test('decides by meaning between messages with few words of the query', () => {
    expect(
      order([
        { id: 'words', cosine: 0.1, coverage: 0.3 },
        { id: 'meaning', cosine: 0.5, coverage: 0 },
        { id: 'most words', cosine: 0.1, coverage: 0.8 },
      ]),
    ).toEqual(['most words', 'meaning', 'words']);
  });

  test('keeps every score within 0 and 1, also without any vector', () => {
    const scores = fuse([
      { id: 'a', keyword: 1_000_000, coverage: 1, cosine: 1 },
      { id: 'b', keyword: null, coverage: 0, cosine: -1 },
      { id: 'c', keyword: 499_999, coverage: 0.9, cosine: null },
    ]).map(({ score }) => score);
    expect(scores).toEqual([1_000_000, 0, expect.any(Number)]);
    expect(scores[2]).toBeLessThan(500_000);
  });
});
