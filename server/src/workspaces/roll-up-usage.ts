import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';

/**
 * Adds the usage ledger up into totals by day, and by month where they count against a plan, every minute. Mail only ever appends to the
 * ledger: with a counter for each workspace, its mails would wait for each other (a ninth of the rate, measured).
 */
export function rollUpUsage(deps: Deps): JobDefinition<object> {
  return {
    name: jobNames.rollUpUsage,
    cron: '* * * * *',
    run: async () => {
      // Rows are locked in one order, so that two processes cannot deadlock.
      await sql`
      with entries as (delete from usage_ledger returning workspace_id, kind, amount, (at at time zone 'utc')::date as day),
      months as (
        insert into usage_totals (workspace_id, kind, month, amount)
        select workspace_id, kind, date_trunc('month', day)::date, sum(amount) from entries
          where kind in ('emails', 'storage_bytes', 'mail_bytes') group by 1, 2, 3 order by 1, 2, 3
        on conflict (workspace_id, kind, month) do update set amount = usage_totals.amount + excluded.amount
      )
      insert into usage_days (workspace_id, day, kind, amount)
      select workspace_id, day, kind, sum(amount) from entries group by 1, 2, 3 order by 1, 2, 3
      on conflict (workspace_id, day, kind) do update set amount = usage_days.amount + excluded.amount
    `.execute(acrossWorkspaces(deps, 'the ledger of all workspaces'));
    },
  };
}
