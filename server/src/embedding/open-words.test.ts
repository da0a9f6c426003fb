import { describe, expect, test } from 'vitest';
import type { EmbeddingProvider } from './provider.ts';
import { openWords } from './words.ts';

const { signal } = new AbortController();

const openInstalled = async (): Promise<EmbeddingProvider> => {
  const provider = await openWords({
    warn: (...args: unknown[]) => {
      throw new Error(`There was a warning: ${JSON.stringify(args)}`);
    },
  });
  if (!provider) throw new Error('The table is not installed.');
  return provider;
};

describe('the built-in words', () => {
  test('name themselves by their table', async () => {
    const { name, version, dimensions } = await openInstalled();
    expect({ name, version, dimensions }).toEqual({
      name: 'words-en-1',
      version: 'f9e73fffdccbe19e.2',
      dimensions: 356,
    });
  });

  test('give each text its vector, in order, and the same to a search', async () => {
    const provider = await openInstalled();
    const texts = Array.from({ length: 200 }, (_, index) => `message ${index} about invoices`);
    const vectors = await provider.embedMany(texts, signal);
    expect(vectors).toHaveLength(200);
    for (const index of [0, 99, 199])
      expect(vectors[index]).toEqual(await provider.embedQuery(texts[index]!, signal));
    expect(await provider.embedMany([], signal)).toEqual([]);
  });

  test('leave the event loop to others while they embed many texts', async () => {
    const provider = await openInstalled();
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await provider.embedMany(
      Array.from({ length: 300 }, (_, index) => `${index} words of a long text `.repeat(400)),
      signal,
    );
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });

  test('embed 8,000 characters of a text and no more', async () => {
    const provider = await openInstalled();
    const start = 'invoice '.repeat(1_000);
    const [one, other] = await provider.embedMany([start, `${start}vacation on the beach`], signal);
    expect(other).toEqual(one);
  });

  test('end with the reason of the signal', async () => {
    const provider = await openInstalled();
    const stop = new AbortController();
    stop.abort(new Error('no time left'));
    await expect(provider.embedQuery('text', stop.signal)).rejects.toThrow('no time left');
    await expect(provider.embedMany(['text'], stop.signal)).rejects.toThrow('no time left');
  });

  test('are off with a warning if their package is not there', async () => {
    const warnings: unknown[][] = [];
    const missing = () => import(`${'@postrider'}/no-such-table`);
    expect(await openWords({ warn: (...args: unknown[]) => void warnings.push(args) }, missing)).toBeNull();
    expect(warnings).toEqual([
      [
        { reason: expect.stringContaining('@postrider/no-such-table') },
        'search by meaning is off, because its table of words could not be loaded',
      ],
    ]);
  });
});
