import type { TestServer } from '../servers/test-server.ts';

/** A failure of a table, with the error that the database raises. */
export interface TableFailure {
  table: string;
  /** For example `57P03` for a database that is starting, or `53100` for a full disk. */
  sqlstate: string;
  message: string;
  /** The rows that fail, as SQL on `new`; all by default. */
  when?: string;
}

/** Runs `work` while inserts into a table fail. */
export async function failOn(
  { rows }: Pick<TestServer, 'rows'>,
  { table, sqlstate, message, when = 'true' }: TableFailure,
  work: () => Promise<void>,
): Promise<void> {
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
}
