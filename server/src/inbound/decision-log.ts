import { type Insertable, sql } from 'kysely';
import type { Tables } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { createWriteBehind, type WriteBehind } from '../db/write-behind.ts';
import type { Deps } from '../deps.ts';

/** A verdict as the log has it. */
export type Decision = Insertable<Tables['smtp_decisions']>;

/** The log of decisions on inbound mail, which tells why a mail did not arrive. */
export type DecisionLog = WriteBehind<Omit<Decision, 'id'>>;

/** Opens the log, whose rows are written after the replies. A crash loses the last moments of it, and never mail. */
export function openDecisionLog(deps: Pick<Deps, 'db' | 'log'>): DecisionLog {
  return createWriteBehind({
    log: deps.log,
    what: 'SMTP decisions',
    flushAfterMs: 250,
    batchRows: 500,
    write: (decisions) =>
      insertAll(
        { db: acrossWorkspaces(deps, 'a refused mail may belong to no workspace') },
        columnsOf(decisions),
      ),
  });
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
