import type { Logger } from 'pino';

/** A writer of rows that nobody waits for. */
export interface WriteBehind<Row> {
  add(row: Row): void;
  /** Writes the rows that are still waiting. The log says how many could not be written. */
  close(): Promise<void>;
}

/** How rows are written. */
export interface WriteBehindOptions<Row> {
  log: Logger;
  /** The name of the rows in lines of the log, such as `SMTP decisions`. */
  what: string;
  flushAfterMs: number;
  batchRows: number;
  write(rows: Row[]): Promise<unknown>;
}

const waitingMax = 10_000;

/**
 * Writes rows in batches, a moment after they arrive, so that a flood of them costs few statements. A crash loses the last moments. While
 * the database is unavailable, the newest 10,000 rows wait; older ones are lost, which is logged.
 */
export function createWriteBehind<Row>(options: WriteBehindOptions<Row>): WriteBehind<Row> {
  const { log, what, flushAfterMs, batchRows, write } = options;
  let waiting: Row[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();
  const reportDropped = (why: string) => {
    if (dropped > 0) log.warn({ dropped }, `${what} were dropped, because ${why}`);
    dropped = 0;
  };
  const keepNewest = () => {
    const excess = Math.max(0, waiting.length - waitingMax);
    if (excess > 0) waiting.splice(0, excess);
    dropped += excess;
  };
  const writeNext = async (): Promise<boolean> => {
    const batch = waiting.splice(0, batchRows);
    try {
      await write(batch);
      reportDropped('too many were waiting');
      return true;
    } catch (error) {
      log.warn({ err: error }, `${what} were not written, trying again`);
      waiting = [...batch, ...waiting];
      keepNewest();
      return false;
    }
  };
  const flush = async () => {
    while (waiting.length > 0 && (await writeNext()));
  };
  const flushLater = () => {
    timer ??= setTimeout(() => {
      timer = null;
      flushing = flushing.then(flush).then(() => {
        if (waiting.length > 0) flushLater();
      });
    }, flushAfterMs).unref();
  };
  return {
    add: (row) => {
      waiting.push(row);
      keepNewest();
      flushLater();
    },
    close: async () => {
      if (timer) clearTimeout(timer);
      await flushing;
      await flush();
      dropped += waiting.length;
      reportDropped('the server ended before they could be written');
    },
  };
}
