-- Takes the locks under which a send is decided: shared, as all sends do, or alone, as a change of what may be sent does. So a change
-- waits for sends that are being stored, and those that come later see it. An empty workspace is the server.
create or replace function lock_sending(ws text, alone boolean) returns void language plpgsql as $$
begin
  if alone then perform pg_advisory_xact_lock(lock_key('sending', ws));
  else perform pg_advisory_xact_lock_shared(lock_key('sending', ws)); end if;
end $$;
