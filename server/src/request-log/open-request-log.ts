import { type Insertable, sql } from 'kysely';
import type { Tables } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { createRecordRoom } from './record-room.ts';

type Row = Insertable<Tables['api_requests']>;

/** A request that has been answered. */
export type AnsweredRequest = Omit<Row, 'skipped'>;

/** The log of requests by API keys, for the people of their workspace. */
export interface RequestLog {
  /** Notes an answered request, which is written a moment later. */
  add(request: AnsweredRequest): void;
  /** Writes the requests that are still waiting. */
  close(): Promise<void>;
}

const flushAfterMs = 1_000;
const waitingMax = 10_000;
const batchRows = 1_000;
const pathLengthMax = 300;

/**
 * Opens the log. Requests are written in batches after their answers: a crash loses the last seconds of the log, and nothing else. While
 * the database is away, the newest 10,000 wait and older ones are lost.
 */
export function openRequestLog(deps: Pick<Deps, 'db' | 'database' | 'log'>): RequestLog {
  const room = createRecordRoom();
  let waiting: Row[] = [];
  let dropped = 0;
  const write = async (): Promise<boolean> => {
    const batch = waiting.splice(0, batchRows);
    if (batch.length === 0) return false;
    try {
      const db = acrossWorkspaces(deps, 'one statement writes the requests of all workspaces');
      await insertAll({ db }, columnsOf(batch));
      if (dropped > 0) deps.log.warn({ dropped }, 'requests were not logged, because too many were waiting');
      dropped = 0;
      return true;
    } catch (error) {
      deps.log.warn({ err: error }, 'requests were not logged, trying again');
      waiting = [...batch, ...waiting];
      return false;
    }
  };
  const flush = async () => {
    while (await write());
  };
  let flushing: Promise<void> = Promise.resolve();
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
    add: (request) => {
      const caller = { workspaceId: request.workspace_id, keyId: request.key_id };
      const skipped = room.take(caller, request.status);
      if (skipped === null) return;
      waiting.push({ ...request, path: storable(request.path), skipped });
      flushLater();
      if (waiting.length <= waitingMax) return;
      waiting.shift();
      dropped += 1;
    },
    close: async () => {
      if (timer) clearTimeout(timer);
      await flushing;
      await flush();
    },
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

function columnsOf(rows: Row[]): Columns {
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)])) as Columns;
}

/** Writes any number of rows with one statement. One that is repeated because its answer was lost writes none twice. */
const insertAll = prepared((db, columns: Columns) =>
  sql`insert into api_requests (${sql.join(names.map((name) => sql.ref(name)))})
    select * from unnest(${sql.join(names.map((name) => sql`${columns[name]}::${sql.raw(types[name])}[]`))})
    on conflict do nothing`.compile(db),
);
