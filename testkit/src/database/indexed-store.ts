import { pino } from 'pino';
import { vi } from 'vitest';
import type { Context } from '../../../server/src/context.ts';
import type { Deps } from '../../../server/src/deps.ts';
import { createTimeScale, systemClock } from '../../../server/src/lib/clock.ts';
import { wholeWorkspace } from '../../../server/src/lib/scope.ts';
import { createMetrics } from '../../../server/src/metrics.ts';
import { indexedBy } from '../../../server/src/search/index/index-state.ts';
import { type IndexSizes, startIndexer } from '../../../server/src/search/index/indexer.ts';
import { type MailStore, openMailStore, type StoredMail } from './stored-mail.ts';

const settleMsMax = 300_000;

/** A database in which mail can be stored without a server, and is indexed. */
export interface IndexedStore {
  store: MailStore;
  deps: Deps;
  /** The warnings and errors that the indexers have logged. */
  problems: string[];
  /** The context of a domain function in the workspace of the store. */
  ctx: Context;
  /** Stores a mail and returns the id of its message. */
  add(mail: StoredMail): Promise<string>;
  /** Starts one more indexer, as another process would. Returns a function that stops it. */
  startIndexer(sizes?: IndexSizes): () => Promise<void>;
  /** Waits until all messages are indexed and the words of removed ones are forgotten. */
  settled(): Promise<void>;
  /** Stops the indexer that runs from the start. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new database with an indexer. */
export async function openIndexedStore(poolMax?: number): Promise<IndexedStore> {
  const store = await openMailStore(poolMax);
  const problems: string[] = [];
  const deps = {
    ...store.deps,
    log: pino({ level: 'warn' }, { write: (line) => void problems.push(line) }),
    clock: systemClock,
    config: { embeddings: { kind: 'off' } },
    timeScale: createTimeScale(1),
    // Tests change rows by SQL, which wakes nobody.
    lookAgainMs: 20,
    metrics: createMetrics(),
    stopping: new AbortController().signal,
  } as unknown as Deps;
  const ctx = {
    ...deps,
    workspaceId: store.workspaceId,
    scope: wholeWorkspace,
    actor: { kind: 'server', id: null },
  } as Context;
  const stop = startIndexer(deps);
  const isEmpty = async (table: string) => (await store.rows(`select from ${table} limit 1`)).length === 0;
  // An indexer that starts later would take mail that is stored now for older than the index.
  const isStarted = async () => {
    if (await isEmpty('search_workspaces')) throw new Error('The indexer has not started.');
  };
  await vi.waitFor(isStarted, { timeout: settleMsMax, interval: 20 });
  return {
    store,
    deps,
    problems,
    ctx,
    add: async (mail) => {
      const outcome = await store.store(mail);
      if (outcome.outcome !== 'stored') throw new Error(`The mail was not stored: ${outcome.outcome}.`);
      deps.wakeups.wake(store.workspaceId);
      return outcome.messageId;
    },
    startIndexer: (sizes) => startIndexer(deps, sizes),
    settled: async () => {
      deps.wakeups.wake(store.workspaceId);
      await indexedBy(ctx, settleMsMax);
      const look = async () => {
        if (!(await isEmpty('search_pending')) || !(await isEmpty('search_gone')))
          throw new Error('The index has not settled.');
      };
      await vi.waitFor(look, { timeout: settleMsMax, interval: 20 });
    },
    stop,
    close: async () => {
      await stop();
      await store.close();
    },
  };
}
