import { type Insertable, sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { createWriteBehind, type WriteBehind } from '../db/write-behind.ts';
import type { Deps } from '../deps.ts';
import { createTokenBuckets } from '../lib/admission/rate.ts';
import { requestRowRates } from '../lib/admission/server-limits.ts';
import { createRecentMap } from '../lib/memory.ts';

type Row = Insertable<Tables['api_requests']>;

/** A request that has received its response. */
export type AnsweredRequest = Omit<Row, 'skipped'>;

/** The log of requests by API keys, for the people of their workspace. */
export type RequestLog = WriteBehind<AnsweredRequest>;

const pathLengthMax = 300;

/** Opens the log, whose rows are written after the responses. A crash loses the last seconds of it, and nothing else. */
export function openRequestLog(deps: Pick<Deps, 'db' | 'database' | 'log'>): RequestLog {
  const room = createRecordRoom();
  const { add, close } = createWriteBehind<Row>({
    log: deps.log,
    what: 'requests of the log',
    flushAfterMs: 1_000,
    batchRows: 1_000,
    write: (rows) => {
      const db = acrossWorkspaces(deps, 'one statement writes the requests of all workspaces');
      return insertAll({ db }, toColumns(rows));
    },
  });
  return {
    add: (request) => {
      const caller = { workspaceId: request.workspace_id, keyId: request.key_id };
      const skipped = room.take(caller, request.status);
      if (skipped !== null) add({ ...request, path: storable(request.path), skipped });
    },
    close,
  };
}

/** Returns the part of a path that a database can hold and a person can read. */
function storable(path: string): string {
  return path.slice(0, pathLengthMax).replace(/[\p{Cc}\p{Cs}]/gu, '?');
}

const types = {
  workspace_id: 'text',
  at: 'timestamptz',
  id: 'text',
  key_id: 'text',
  method: 'text',
  path: 'text',
  status: 'int',
  error: 'text',
  duration_ms: 'int',
  skipped: 'int',
} as const;

type Columns = { [Name in keyof typeof types]: Row[Name][] };
const names = Object.keys(types) as (keyof typeof types)[];

function toColumns(rows: Row[]): Columns {
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)])) as Columns;
}

/** Writes any number of rows with one statement. One that is repeated because its answer was lost writes none twice. */
const insertAll = prepared((db, columns: Columns) =>
  sql`insert into api_requests (${sql.join(names.map((name) => sql.ref(name)))})
    select * from unnest(${sql.join(names.map((name) => sql`${columns[name]}::${sql.raw(types[name])}[]`))})
    on conflict do nothing`.compile(db),
);

const keysMax = 20_000;

/** Decides which requests get a row, so that no key can fill the log, and a busy key does not hide a quiet one. */
export interface RecordRoom {
  /** Returns how many requests of the key were skipped since its last row of this kind; null if this request is skipped, too. */
  take(caller: { workspaceId: string; keyId: string }, status: number): number | null;
}

/** Creates the room of one process, in which the shares of keys are kept. */
export function createRecordRoom(nowMs: () => number = () => performance.now()): RecordRoom {
  const buckets = createTokenBuckets(nowMs);
  const skippedByKey = createRecentMap<number>(keysMax);
  return {
    take: ({ workspaceId, keyId }, status) => {
      const kind = Math.floor(status / 100) < 4 ? 'success' : 'error';
      const key = `${keyId} ${kind}`;
      const skipped = skippedByKey.get(key) ?? 0;
      const isFull = ({ waitMs }: { waitMs: number }) => waitMs > 0;
      if (
        isFull(buckets.take(key, requestRowRates[kind])) ||
        isFull(buckets.take(workspaceId, requestRowRates.workspace))
      ) {
        skippedByKey.set(key, skipped + 1);
        return null;
      }
      if (skipped > 0) skippedByKey.set(key, 0);
      return skipped;
    },
  };
}

/** Returns the key that a request came with; null for people and for requests without a caller. */
export function findCallingKey(context: Context | undefined): { workspaceId: string; keyId: string } | null {
  if (context?.actor.kind !== 'key') return null;
  return { workspaceId: context.workspaceId, keyId: context.actor.id };
}
