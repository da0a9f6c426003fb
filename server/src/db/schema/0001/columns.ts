/** Returns a column for an id of this server, in byte order. */
export function id(name: string) {
  return `${name} text collate "C" not null`;
}

/** Returns the statement that has columns compressed by lz4, where Postgres was built with it. */
export function compressedByLz4(table: string, columns: string[]): string {
  return `do $$ begin
    if (select 'lz4' = any(enumvals) from pg_settings where name = 'default_toast_compression') then
      alter table ${table} ${columns.map((column) => `alter ${column} set compression lz4`).join(', ')};
    end if;
  end $$`;
}
