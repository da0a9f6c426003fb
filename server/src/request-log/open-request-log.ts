import { type Insertable, sql } from 'kysely';
import type { Tables } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { createWriteBehind, type WriteBehind } from '../db/write-behind.ts';
import type { Deps } from '../deps.ts';
import { createRecordRoom } from './record-room.ts';

type Row = Insertable<Tables['api_requests']>;

/** A request that has been answered. */
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
      return insertAll({ db }, columnsOf(rows));
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

function columnsOf(rows: Row[]): Columns {
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)])) as Columns;
}

/** Writes any number of rows with one statement. One that is repeated because its answer was lost writes none twice. */
const insertAll = prepared((db, columns: Columns) =>
  sql`insert into api_requests (${sql.join(names.map((name) => sql.ref(name)))})
    select * from unnest(${sql.join(names.map((name) => sql`${columns[name]}::${sql.raw(types[name])}[]`))})
    on conflict do nothing`.compile(db),
);
