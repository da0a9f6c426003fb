import { type Insertable, sql } from 'kysely';
import type { Tables } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/** A verdict as the log has it. */
export type Decision = Insertable<Tables['smtp_decisions']>;

/** The log of decisions on inbound mail, which tells why a mail did not arrive. */
export interface DecisionLog {
  add(decision: Omit<Decision, 'id'>): void;
  /** Writes the decisions that are still waiting. */
  close(): Promise<void>;
}

const flushAfterMs = 250;
const waitingMax = 10_000;
const batchRows = 500;

/**
 * Writes decisions in batches after the replies, so that a flood of refused mail costs a few statements. A crash loses the last
 * moments of the log, and never mail. While the database is away, the newest 10,000 decisions wait and older ones are lost.
 */
export function openDecisionLog(deps: Pick<Deps, 'db' | 'log'>): DecisionLog {
  let waiting: Omit<Decision, 'id'>[] = [];
  let dropped = 0;
  const keepNewest = () => {
    const excess = Math.max(0, waiting.length - waitingMax);
    waiting.splice(0, excess);
    dropped += excess;
  };
  const reportDropped = () => {
    if (dropped > 0)
      deps.log.warn({ dropped }, 'SMTP decisions were dropped, because too many were waiting to be written');
    dropped = 0;
  };
  let flushing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const batch = waiting.splice(0, batchRows);
    if (batch.length === 0) return;
    try {
      await insertAll(
        { db: acrossWorkspaces(deps, 'a refused mail may belong to no workspace') },
        columnsOf(batch),
      );
      reportDropped();
    } catch (error) {
      deps.log.warn({ err: error }, 'SMTP decisions were not written, trying again');
      waiting = [...batch, ...waiting];
      keepNewest();
    }
  };
  let timer: NodeJS.Timeout | null = null;
  const flushLater = () => {
    timer ??= setTimeout(() => {
      timer = null;
      flushing = flushing.then(flush).then(() => {
        if (waiting.length > 0) flushLater();
      });
    }, flushAfterMs).unref();
  };
  return {
    add: (decision) => {
      waiting.push(decision);
      keepNewest();
      flushLater();
    },
    close: async () => {
      if (timer) clearTimeout(timer);
      await flushing;
      for (let batches = Math.ceil(waiting.length / batchRows); batches > 0; batches--) await flush();
      reportDropped();
    },
  };
}

const texts = [
  'workspace_id',
  'inbox_id',
  'message_id',
  'session_id',
  'remote_address',
  'helo',
  'mail_from',
  'rcpt_to',
  'verdict',
  'reply',
] as const;

type Columns = Record<(typeof texts)[number], (string | null)[]> & { at: Decision['at'][] };

function columnsOf(decisions: Omit<Decision, 'id'>[]): Columns {
  return {
    at: decisions.map(({ at }) => at),
    ...Object.fromEntries(texts.map((name) => [name, decisions.map((decision) => decision[name] ?? null)])),
  } as Columns;
}

/** Writes any number of rows with one short statement, because hundreds of rows of values take longer to parse than to write. */
const insertAll = prepared((db, columns: Columns) =>
  sql`insert into smtp_decisions (at, ${sql.join(texts.map((name) => sql.ref(name)))})
    select * from unnest(${columns.at}::timestamptz[], ${sql.join(
      texts.map((name) => sql`${columns[name]}::text[]`),
    )})`.compile(db),
);
