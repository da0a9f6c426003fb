import { createHashedEmbedding, type HashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { encodeCursor } from '../../lib/cursor.ts';
import { vectorSpace } from '../semantic/vectors.ts';
import { start } from './find-hits.ts';
import { searchWaits } from './match-slice.ts';
import { prepareMode } from './prepare-mode.ts';
import { keysOfSearch, type Phase } from './search-cursor.ts';

let indexed: IndexedStore;
let provider: HashedEmbedding;
const usualWaits = { ...searchWaits };

beforeAll(async () => {
  // Nothing embeds mail here.
  searchWaits.firstVectorsMs = 0;
  indexed = await openIndexedStore();
  provider = createHashedEmbedding();
  await indexed.store.rows(
    'insert into embedding_progress (workspace_id, space, asked_at) values ($1, $2, now())',
    [indexed.store.workspaceId, vectorSpace(provider)],
  );
});
afterAll(async () => {
  Object.assign(searchWaits, usualWaits);
  await indexed.close();
});

const query = 'apples';
const makeCursor = (phase: Phase) => {
  const wording = { idfs: [100], endings: [], corrections: new Map() };
  const after = { id: 'msg_1', score: 5 };
  return encodeCursor(
    keysOfSearch(query, { ...start, phase, after, before: 'msg_~', at: new Date(0), wording }),
  );
};
const prepare = (phase?: Phase, changes: Partial<Context> = {}) =>
  prepareMode(
    {
      ...indexed.ctx,
      config: { plans: { business: { semantic_search: true } } },
      plan: 'business',
      embedding: provider,
      ...changes,
    } as unknown as Context,
    { query, mode: 'semantic', cursor: phase && makeCursor(phase) },
  );

test('a first page falls back to keyword search while the provider fails, and a later one is refused for now', async () => {
  provider.isDown = true;
  expect(await prepare()).toEqual({ modeUsed: 'keyword', fallbackReason: 'unavailable', meaning: null });
  await expect(prepare('semantic')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(prepare('semantic', { embedding: null })).rejects.toMatchObject({ code: 'unavailable' });
  provider.isDown = false;
  expect(await prepare('semantic')).toMatchObject({ modeUsed: 'semantic' });
});

test('later pages compare by the vector of the first one, also while the provider fails', async () => {
  const { meaning } = await prepare();
  provider.isDown = true;
  expect(await prepare('semantic')).toMatchObject({ modeUsed: 'semantic', meaning: { comparedFrom: null } });
  expect((await prepare('semantic')).meaning?.vector).toBe(meaning?.vector);
  expect(await prepare(undefined, { workspaceId: 'wsp_other' })).toMatchObject({ modeUsed: 'keyword' });
  provider.isDown = false;
});

test('a search that began with keywords goes on with them, also once the provider works again', async () => {
  expect(await prepare('all')).toEqual({ modeUsed: 'keyword', fallbackReason: 'unavailable', meaning: null });
  await expect(prepare('hybrid')).rejects.toMatchObject({ code: 'invalid_request' });
});
