/*
 * The search as the rest of the server knows it. `text/` turns texts into lexemes, in documents and in queries alike. `index/` and `files/`
 * fill the index by words (ADR 0029, 0030), and `semantic/` makes vectors (ADR 0032). `query/` answers searches from both.
 */
import type { Deps } from '../deps.ts';
import { startFileWorker } from './files/file-worker.ts';
import { startIndexer } from './index/indexer.ts';
import { startEmbedding } from './semantic/start-embedding.ts';

export { indexAgain } from './index/index-state.ts';
export type { Condition } from './query/restrictions.ts';
export type { SearchHit } from './query/search-hit.ts';
export {
  findSearchPage,
  type SearchPage,
  type SearchRequest,
  searchMessages,
} from './query/search-messages.ts';
export { viewHit, viewOutcome, viewSearch } from './query/search-page.view.ts';
export { readProgress, searchStatus } from './search-status.ts';
export { embedAgain } from './semantic/embedding-progress.ts';

/** Starts to index and embed messages as they are stored, and to read their files. Returns a function that stops it. */
export function startSearch(deps: Deps): () => Promise<void> {
  const stops = [startEmbedding(deps), startIndexer(deps), startFileWorker(deps)];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
