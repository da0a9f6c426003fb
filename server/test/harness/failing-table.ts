import type { TestServer } from './test-server.ts';

/** How a table fails: what it is, and the error that the database raises. */
export interface TableFailure {
  table: string;
  /** Such as `57P03` for a database that starts, or `53100` for a full disk. */
  sqlstate: string;
  message: string;
  /** Which rows fail, as SQL on `new`; all unless given. */
  when?: string;
}

/** Runs `work` while inserts into a table fail. */
export const failOn = async (
  { rows }: Pick<TestServer, 'rows'>,
  { table, sqlstate, message, when = 'true' }: TableFailure,
  work: () => Promise<void>,
): Promise<void> => {
  await rows(`create or replace function fail_insert() returns trigger language plpgsql as $$
    begin raise exception '${message}' using errcode = '${sqlstate}'; end $$`);
  await rows(
    `create trigger fail_insert before insert on ${table} for each row when (${when}) execute function fail_insert()`,
  );
  try {
    await work();
  } finally {
    await rows(`drop trigger fail_insert on ${table}`);
  }
};
