import type pg from 'pg';
import { StartError } from '../../lib/start/start-error.ts';
import type { Database } from '../database.ts';
import { inTransactionOf, replaceFunctions } from '../functions/apply.ts';

/** The migrations that there were before the first release; the first schema is what all of them made. */
const firstUnreleased = '0001-schema';
const lastUnreleased = '0025-inline-workspace-room';
const unreleasedCount = 25;

/**
 * Takes over a database that was made before the first release, by the migrations that the first schema stands for. Its tables are the
 * same but for what is added here.
 *
 * @throws StartError when it has other migrations than these.
 */
export const adoptUnreleased = async (
  { pool }: Pick<Database, 'pool'>,
  executed: string[],
): Promise<void> => {
  if (!executed.includes(firstUnreleased)) return;
  if (executed.length !== unreleasedCount || executed.toSorted().at(-1) !== lastUnreleased)
    throw new StartError(
      'The database was made by an early version from before the first release, which this one cannot bring up to date. Start with an empty database.',
    );
  // With the functions, since mail that the old ones store would have no list of terms.
  await inTransactionOf(pool, async (client) => {
    await adopt(client);
    await replaceFunctions(client);
  });
};

const adopt = (client: pg.PoolClient): Promise<unknown> =>
  client.query(`
    create table applied_functions (one boolean primary key check (one), version integer not null, hash text not null);
    alter table messages add column terms text[] not null default '{}';
    update messages m set terms = t.terms from (
        select workspace_id, message_id, array_agg(term) as terms from message_terms group by workspace_id, message_id) t
      where m.workspace_id = t.workspace_id and m.id = t.message_id;
    do $$ declare
      function regprocedure;
    begin
      for function in select oid::regprocedure from pg_proc where proname in ('store_message', 'store_messages') loop
        execute 'drop function ' || function;
      end loop;
    end $$;
    delete from mikro_orm_migrations;
    insert into mikro_orm_migrations (name) values ('0001-tables')`);
