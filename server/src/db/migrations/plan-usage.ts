import { Migration } from '@mikro-orm/migrations';

/**
 * `usage_of(text, date)`: what a workspace has used, as `{emails, storage_bytes}`: messages sent in the UTC month that begins on
 * the date, and bytes of stored attachments. Totals and ledger are read in one snapshot, so that what is rolled up meanwhile
 * counts once. A ledger that was empty when the plan was made would be read whole for ever, hence `enable_seqscan`.
 *
 * The index on attachments lets the deletion of an inbox know what it frees. `api_processes` has a row for each process that
 * serves the API.
 */
export class PlanUsage extends Migration {
  override up(): void {
    for (const statement of [...indexes, processes, usageOf]) this.addSql(statement);
  }
}

const indexes = [
  'create index usage_ledger_of_workspace on usage_ledger (workspace_id, kind, at) include (amount)',
  'create index attachments_of_inbox on attachments (workspace_id, inbox_id) include (size_bytes)',
];

const processes = `create table api_processes (
  id text collate "C" not null primary key, seen_at timestamptz(3) not null)`;

const usageOf = `
create function usage_of(ws text, first_day date) returns jsonb language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  starts timestamptz := first_day::timestamp at time zone 'utc';
  ends timestamptz := (first_day + interval '1 month') at time zone 'utc';
begin
  return jsonb_build_object(
    'emails',
    (select coalesce(sum(t.amount), 0) from usage_totals t
      where t.workspace_id = ws and t.kind = 'emails' and t.month = first_day)
      + (select coalesce(sum(l.amount), 0) from usage_ledger l
        where l.workspace_id = ws and l.kind = 'emails' and l.at >= starts and l.at < ends),
    'storage_bytes',
    (select coalesce(sum(t.amount), 0) from usage_totals t where t.workspace_id = ws and t.kind = 'storage_bytes')
      + (select coalesce(sum(l.amount), 0) from usage_ledger l where l.workspace_id = ws and l.kind = 'storage_bytes'));
end $$`;
