import { StartError } from '../../lib/start/start-error.ts';
import type { Database } from '../database.ts';

/** The newest of the migrations that there were before the first release; the first schema is what all of them made. */
const lastUnreleased = '0025-inline-workspace-room';
const firstUnreleased = '0001-schema';

/**
 * Takes over a database that was made before the first release, by the migrations that the first schema stands for: its tables are
 * the same but for the list of terms that a message has.
 *
 * @throws StartError when it lacks some of them.
 */
export const adoptUnreleased = async (
  { pool }: Pick<Database, 'pool'>,
  executed: string[],
): Promise<void> => {
  if (!executed.includes(firstUnreleased)) return;
  if (!executed.includes(lastUnreleased))
    throw new StartError(
      'The database was made by an early version from before the first release, which this one cannot bring up to date. Start with an empty database.',
    );
  await pool.query(`
    begin;
    create table applied_functions (one boolean primary key check (one), hash text not null);
    alter table messages add column terms text[] not null default '{}';
    update messages m set terms = t.terms from (
        select workspace_id, message_id, array_agg(term) as terms from message_terms group by workspace_id, message_id) t
      where m.workspace_id = t.workspace_id and m.id = t.message_id;
    delete from mikro_orm_migrations;
    insert into mikro_orm_migrations (name) values ('0001-tables');
    commit`);
};
