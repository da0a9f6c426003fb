/*
 * Fills the search index. The transaction that stores a message adds a pending row for it. One process indexes what is pending, of all
 * workspaces in turns, and removes the row in the statement that writes the index. So a message is indexed no matter which process dies
 * when. Whenever there is time, words of removed messages leave the vocabulary, and mail from before the index is indexed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onBehalfOf } from '../../db/fair-connections.ts';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../lib/concurrency/worker-loop.ts';
import { backfillNext, noteOldWorkspaces } from './backfill.ts';
import { createBucketChooser } from './choose-bucket.ts';
import { forgetWords } from './forget-words.ts';
import { type IndexSession, indexDocuments, LeaseLost } from './index-documents.ts';
import { watchIndex } from './index-metrics.ts';
import { createDocumentThread } from './index-thread.ts';
import { createLeadership } from './lead.ts';
import { dropPending, findWaiting, isThere, readPending } from './read-documents.ts';

/** How long a message may stay pending if its wake-up is lost. */
const lookAgainMs = 1_000;
const retryMs = 1_000;

/** The sizes of batches. The embedded database runs a statement in this thread, so its batches are small. */
const sizes = {
  postgres: {
    live: { messages: 256, bytes: 4_000_000 },
    old: { messages: 100, bytes: 1_000_000 },
    gone: { messages: 100, words: 100 },
  },
  embedded: {
    live: { messages: 16, bytes: 200_000 },
    old: { messages: 8, bytes: 100_000 },
    gone: { messages: 8, words: 10 },
  },
};
/** The time between the starts of two batches of mail that arrives, since few large batches cost less than many. */
const periodMs = 25;
/** A backfill rests this many times as long as it worked. */
const restShare = { postgres: 1, embedded: 3 };
const restMsLeast = 5;
/** Its share of the one connection of the embedded database is that of a workspace on the smallest plan. */
const owner = { name: 'search index', share: 10 };

/**
 * Indexes messages as they are stored. Every process with the role runs an indexer, and one at a time does the work. Returns a function that
 * stops it.
 */
export function startIndexer(deps: Deps): () => Promise<void> {
  const leadership = createLeadership(deps, 'search');
  const size = sizes[deps.database.kind];
  let session: IndexSession | null = null;
  let isLeading = false;
  const watch = watchIndex(deps, () => isLeading);
  let after = '';
  let backfillAt = 0;

  const openSession = async (holder: string): Promise<IndexSession> => {
    if (session?.holder === holder) return session;
    await session?.thread.close();
    await noteOldWorkspaces(deps);
    session = { holder, thread: createDocumentThread(), chooseBucket: createBucketChooser(deps) };
    return session;
  };
  /** Indexes one batch of what waits. Returns whether there is more. */
  const indexPending = async (current: IndexSession): Promise<boolean> => {
    let workspaceIds = await findWaiting(deps, after);
    if (workspaceIds.length === 0 && after !== '') workspaceIds = await findWaiting(deps, '');
    after = workspaceIds.at(-1) ?? '';
    if (workspaceIds.length === 0) return false;
    const rows = await readPending(deps, workspaceIds, size.live);
    const [there, gone] = [rows.filter(isThere), rows.filter((row) => !isThere(row))];
    await dropPending(deps, gone);
    const written = await indexDocuments(deps, current, there);
    watch.note(written);
    for (const workspaceId of new Set(rows.map((row) => row.workspace_id)))
      deps.wakeups.wake(workspaceId, 'search');
    return rows.length >= size.live.messages && written > 0;
  };
  /** Indexes one batch of mail from before the index. Returns the time until the next one. */
  const indexOld = async (current: IndexSession): Promise<number> => {
    const nowMs = performance.now();
    if (nowMs < backfillAt) return backfillAt - nowMs;
    const written = await backfillNext(deps, current, size.old);
    if (written === null) return lookAgainMs;
    watch.note(written);
    const restMs = Math.max(restMsLeast, (performance.now() - nowMs) * restShare[deps.database.kind]);
    backfillAt = performance.now() + restMs;
    return restMs;
  };
  const look = async (): Promise<number> => {
    const holder = await leadership.hold();
    isLeading = holder !== null;
    if (holder === null) return lookAgainMs;
    const current = await openSession(holder);
    if (await indexPending(current)) return 0;
    await nextTurn();
    if (await forgetWords(deps, current, size.gone)) return 0;
    return Math.min(lookAgainMs, await indexOld(current));
  };
  const loop = startLoop({
    look: () => onBehalfOf(owner, look),
    onError: (error) => {
      if (!(error instanceof LeaseLost)) deps.log.error({ err: error }, 'messages were not indexed');
    },
    retryMs,
    periodMs: () => periodMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake);
  return async () => {
    unlisten();
    watch.stop();
    await loop.stop();
    await session?.thread.close();
    await leadership.leave();
  };
}
