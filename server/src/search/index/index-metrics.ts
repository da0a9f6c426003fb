import type { Deps } from '../../deps.ts';
import { readProgress } from './search-status.ts';

const lookMs = 30_000;

/** Keeps the metrics of the index up to date while this process is the one that indexes. */
export interface IndexWatch {
  /** Counts messages that were indexed. */
  note(messages: number): void;
  stop(): void;
}

/** Starts to watch the index. Only the process for which `isLeading` returns true reads how much is left, every 30 seconds. */
export function watchIndex(
  deps: Pick<Deps, 'db' | 'clock' | 'metrics' | 'log'>,
  isLeading: () => boolean,
): IndexWatch {
  const { searchPending, searchLag, searchIndexed, searchBackfill } = deps.metrics;
  const look = async () => {
    if (!isLeading()) return;
    const { pending, lag_seconds, backfill } = await readProgress(deps);
    searchPending.set(pending);
    searchLag.set(lag_seconds);
    searchBackfill.set(backfill.messages);
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      deps.log.debug({ err: error }, 'the progress of the index was not read'),
    );
  }, lookMs).unref();
  return { note: (messages) => searchIndexed.inc(messages), stop: () => clearInterval(timer) };
}
