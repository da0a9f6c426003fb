import { StartError } from '../../lib/start-error.ts';
import type { Database } from '../database.ts';

/** The newest of the migrations that there were before the first release; the first schema is what all of them made. */
const lastUnreleased = '0025-inline-workspace-room';
const firstUnreleased = '0001-schema';

/**
 * Takes over a database that was made before the first release, by the migrations that the first schema stands for: its tables are
 * the same, so that only its list of migrations changes.
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
    delete from mikro_orm_migrations;
    insert into mikro_orm_migrations (name) values ('0001-tables');
    commit`);
};
