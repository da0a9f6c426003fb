-- Returns what a workspace has used, as `{emails, storage_bytes}`: messages sent in the UTC month that begins on the date, and bytes of
-- stored attachments.
create or replace function usage_of(ws text, first_day date) returns jsonb language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  starts timestamptz := first_day::timestamp at time zone 'utc';
  ends timestamptz := (first_day + interval '1 month') at time zone 'utc';
begin
  -- Totals and ledger are read in one snapshot, so that what is rolled up meanwhile counts once.
  return jsonb_build_object(
    'emails',
    (select coalesce(sum(t.amount), 0) from usage_totals t
      where t.workspace_id = ws and t.kind = 'emails' and t.month = first_day)
      + (select coalesce(sum(l.amount), 0) from usage_ledger l
        where l.workspace_id = ws and l.kind = 'emails' and l.at >= starts and l.at < ends),
    'storage_bytes',
    (select coalesce(sum(t.amount), 0) from usage_totals t where t.workspace_id = ws and t.kind = 'storage_bytes')
      + (select coalesce(sum(l.amount), 0) from usage_ledger l where l.workspace_id = ws and l.kind = 'storage_bytes'));
end $$;
