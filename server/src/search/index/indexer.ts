/*
 * Fills the search index. The transaction that stores a message adds a pending row for it. One process indexes pending messages, of all
 * workspaces in turns, and removes the row in the statement that writes the index. A message is thus indexed whichever process dies and
 * when. Whenever there is time, words of removed messages leave the vocabulary, and mail from before the index is indexed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { restMsAfter } from '../../lib/admission/slots.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { createBucketChooser } from './choose-bucket.ts';
import { type IndexSession, indexDocuments } from './index-documents.ts';
import { createDocumentThread } from './index-thread.ts';
import { createLeadership, LeaseLost } from './lead.ts';
import {
  type BatchSize,
  dropPending,
  findWaiting,
  isThere,
  readPending,
  workspacesAtOnceMax,
} from './read-documents.ts';
import { backfillNext, type ForgetSize, forgetWords, noteOldWorkspaces } from './spare-time.ts';

/** The sizes of batches: of mail that arrives, of mail from before the index, and of removed messages whose words are forgotten. */
export interface IndexSizes {
  live: BatchSize;
  old: BatchSize;
  gone: ForgetSize;
}

const sizes: IndexSizes = {
  live: { messages: 256, bytes: 4_000_000 },
  old: { messages: 100, bytes: 1_000_000 },
  gone: { messages: 100, words: 100 },
};
/**
 * The time between the starts of two batches is at least `msLeast`, and `share` times as long as the first one took. While batches follow
 * each other that are not full, it doubles up to `msMost`, so that more mail gathers: a mail in a batch of fifty costs a third of one in a
 * batch of five. A search that waits for the index still has it in time.
 */
const period = { msLeast: 25, msMost: 150, share: 3 };
/** While mail flows, other work is done after every second batch. */
const looksPerPause = 2;
/** The approximate maximum time for which arriving mail waits for other work. */
const pauseEveryMs = 50;
/** A backfill rests this many times as long as it worked. */
const rest = { share: 1, msMax: 1_000 };
const restMsLeast = 5;

/**
 * Indexes messages as they are stored. Every process with the role runs an indexer, and one at a time does the work. Returns a function
 * that stops it.
 */
export function startIndexer(deps: Deps, size: IndexSizes = sizes): () => Promise<void> {
  const leadership = createLeadership(deps, 'search');
  let session: IndexSession | null = null;
  let looks = 0;
  let periodMs = period.msLeast;
  const indexPending = createPendingIndexer(deps, size.live);
  const indexOld = createOldIndexer(deps, size.old);
  const openSession = async (holder: string): Promise<IndexSession> => {
    if (session?.holder === holder) return session;
    await session?.thread.close();
    await noteOldWorkspaces(deps);
    session = { holder, thread: createDocumentThread(), chooseBucket: createBucketChooser(deps, holder) };
    return session;
  };
  const indexMore = async (current: IndexSession, stopped: AbortSignal) => {
    if (stopped.aborted) return false;
    if ((await leadership.hold()) !== current.holder) throw new LeaseLost();
    await indexPending(current);
    return true;
  };
  const look = async (stopped: AbortSignal): Promise<number> => {
    const holder = await leadership.hold();
    if (holder === null) return nothingDue;
    const current = await openSession(holder);
    const taken = await indexPending(current);
    looks += 1;
    periodMs = nextPeriodMs(periodMs, taken, size.live.messages);
    if (taken > 0 && looks % looksPerPause !== 0) return 0;
    await nextTurn();
    const hasForgotten = await forgetWords(
      deps,
      current,
      size.gone,
      inPauses(() => indexMore(current, stopped)),
    );
    const oldInMs = await indexOld(current);
    return taken > 0 || hasForgotten ? 0 : oldInMs;
  };
  const loop = startLoop({
    look,
    onError: (error) => {
      if (!(error instanceof LeaseLost)) deps.log.error({ err: error }, 'messages were not indexed');
    },
    lookAgainMs: deps.lookAgainMs,
    periodMs: (tookMs) => Math.max(periodMs, tookMs * period.share),
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake);
  return async () => {
    unlisten();
    await loop.stop();
    await session?.thread.close();
    await leadership.leave();
  };
}

/** Returns the least time in ms from the start of a batch to the next, given the one before and how many messages the batch took. */
export function nextPeriodMs(beforeMs: number, taken: number, messagesMax: number): number {
  return taken > 0 && taken < messagesMax ? Math.min(2 * beforeMs, period.msMost) : period.msLeast;
}

/** Returns a function that does the work if it was not done for a while, and returns whether to continue. */
function inPauses(work: () => Promise<boolean>): () => Promise<boolean> {
  let doneAtMs = performance.now();
  return async () => {
    if (performance.now() - doneAtMs < pauseEveryMs) return true;
    const goesOn = await work();
    doneAtMs = performance.now();
    return goesOn;
  };
}

/**
 * Creates the function that indexes one batch of what waits, of all workspaces in turns. It returns the number of messages that it took.
 */
function createPendingIndexer(deps: Deps, size: BatchSize) {
  let after = '';
  return async (session: IndexSession): Promise<number> => {
    let workspaceIds = await findWaiting(deps, after);
    if (workspaceIds.length === 0 && after !== '') workspaceIds = await findWaiting(deps, '');
    after = workspaceIds.length < workspacesAtOnceMax ? '' : workspaceIds.at(-1)!;
    if (workspaceIds.length === 0) return 0;
    const rows = await readPending(deps, workspaceIds, size);
    await dropPending(
      deps,
      rows.filter((row) => !isThere(row)),
    );
    deps.metrics.searchIndexed.inc(await indexDocuments(deps, session, rows.filter(isThere)));
    for (const workspaceId of new Set(rows.map((row) => row.workspace_id)))
      deps.wakeups.wake(workspaceId, 'search');
    return rows.length;
  };
}

/** Creates the function that indexes one batch of mail from before the index, if it is time for one. It returns the time until the next. */
function createOldIndexer(deps: Deps, size: BatchSize) {
  let dueAtMs = 0;
  return async (session: IndexSession): Promise<number> => {
    const nowMs = performance.now();
    if (nowMs < dueAtMs) return dueAtMs - nowMs;
    const written = await backfillNext(deps, session, size);
    if (written === null) return nothingDue;
    deps.metrics.searchIndexed.inc(written);
    const restMs = Math.max(restMsLeast, restMsAfter(performance.now() - nowMs, rest));
    dueAtMs = performance.now() + restMs;
    return restMs;
  };
}
