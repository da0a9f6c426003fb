-- Takes the locks under which a send is decided: shared, as all sends do, or alone, as a change of what may be sent does. So a change
-- waits for sends that are being stored, and those that come later see it. An empty workspace is the server.
create or replace function lock_sending(ws text, alone boolean) returns void language plpgsql as $$
begin
  if alone then perform pg_advisory_xact_lock(hashtextextended('sending:' || ws, 0));
  else perform pg_advisory_xact_lock_shared(hashtextextended('sending:' || ws, 0)); end if;
end $$;
