-- Takes the lock of what waits for the end of a pause: shared to let recipients and drafts wait, and alone to end a pause. Otherwise
-- something could begin to wait for a pause that has ended, and nobody would let it go on.
create or replace function lock_waiting(alone boolean) returns void language plpgsql as $$
begin
  if alone then perform pg_advisory_xact_lock(lock_key('waiting', ''));
  else perform pg_advisory_xact_lock_shared(lock_key('waiting', '')); end if;
end $$;
