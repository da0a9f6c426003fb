-- Returns the bytes that the mail of a workspace takes, by ledger and totals; never below zero.
create or replace function mail_bytes_of(ws text) returns bigint language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
begin
  return greatest(0,
    (select coalesce(sum(t.amount), 0) from usage_totals t where t.workspace_id = ws and t.kind = 'mail_bytes')
      + (select coalesce(sum(l.amount), 0) from usage_ledger l where l.workspace_id = ws and l.kind = 'mail_bytes'));
end $$;
