-- Returns the subject of a cap with its thread. `{thread}` stands for that at the end of a subject. An address of a recipient may hold it,
-- too, and never ends with it. Postgres inlines the expression.
create or replace function subject_of_thread(subject text, thread text) returns text language sql immutable as $$
  select case when right(subject, 9) = '>{thread}' then left(subject, -8) || thread else subject end
$$;
