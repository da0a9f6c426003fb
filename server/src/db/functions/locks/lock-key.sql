-- Returns the key of a lock by its name and what it is on. `db/locks.ts` has the names, in the order in which they are taken. Postgres
-- inlines the expression.
create or replace function lock_key(name text, id text) returns bigint language sql immutable as $$
  select hashtextextended(name || ':' || id, 0)
$$;
