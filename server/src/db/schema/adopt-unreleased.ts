import { sql } from 'kysely';
import { StartError } from '../../lib/start/start-error.ts';
import type { Database, Db } from '../database.ts';
import { inTransaction } from '../transaction.ts';

/** The migrations from before the first release. The first schema is the result of all of them. */
const firstUnreleased = '0001-schema';
const lastUnreleased = '0025-inline-workspace-room';
const unreleasedCount = 25;

/**
 * Takes over a database that was created before the first release by the migrations that the first schema replaces. Its tables are the same
 * except for what is added here.
 *
 * @throws StartError if it has other migrations than these.
 */
export async function adoptUnreleased({ db }: Pick<Database, 'db'>, executed: string[]): Promise<void> {
  if (!executed.includes(firstUnreleased)) return;
  if (executed.length !== unreleasedCount || executed.toSorted().at(-1) !== lastUnreleased)
    throw new StartError(
      'The database was made by an early version from before the first release, which this one cannot bring up to date. Start with an empty database.',
    );
  await inTransaction({ db }, adopt);
}

/** Also removes the functions that store mail, because mail that the old ones store would have no list of terms. */
async function adopt({ db }: { db: Db }): Promise<void> {
  for (const statement of changes) await sql.raw(statement).execute(db);
}

const changes = [
  'create table applied_functions (one boolean primary key check (one), version integer not null, hash text not null)',
  `alter table messages add column terms text[] not null default '{}'`,
  `update messages m set terms = t.terms from (
      select workspace_id, message_id, array_agg(term) as terms from message_terms group by workspace_id, message_id) t
    where m.workspace_id = t.workspace_id and m.id = t.message_id`,
  `do $$ declare
    function regprocedure;
  begin
    for function in select oid::regprocedure from pg_proc where proname in ('store_message', 'store_messages') loop
      execute 'drop function ' || function;
    end loop;
  end $$`,
  'delete from mikro_orm_migrations',
  `insert into mikro_orm_migrations (name) values ('0001-tables')`,
];
