import type { UsageDay } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';

const dayMs = 24 * 60 * 60 * 1_000;

const columnByKind = {
  emails: 'sent',
  received: 'received',
  delivered: 'delivered',
  bounced: 'bounced',
  complained: 'complained',
  storage_bytes: 'storage_bytes',
} as const;

/**
 * Returns the usage of the caller's workspace on each of the last `days` UTC days, oldest first, including today. It is read from a few
 * rows for each day, however many messages there are. Activity from before the server counted days is not included.
 */
export async function readUsageDays(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'clock'>,
  days: number,
): Promise<UsageDay[]> {
  const today = Date.parse(formatDay(ctx.clock.now()));
  const names = Array.from({ length: days }, (_, back) =>
    formatDay(new Date(today - (days - 1 - back) * dayMs)),
  );
  const found = new Map(names.map((day) => [day, emptyDay(day)]));
  for (const { day, kind, amount } of await selectDays(ctx, names[0] ?? formatDay(ctx.clock.now()))) {
    const usage = found.get(day);
    if (usage) usage[columnByKind[kind]] = amount;
  }
  return [...found.values()];
}

function formatDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function emptyDay(day: string): UsageDay {
  return { day, sent: 0, received: 0, delivered: 0, bounced: 0, complained: 0, storage_bytes: 0 };
}

interface Counted {
  day: string;
  kind: keyof typeof columnByKind;
  amount: number;
}

/** Days and ledger are read in one snapshot, so that usage that is rolled up meanwhile counts once. */
async function selectDays(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  first: string,
): Promise<Counted[]> {
  const kinds = Object.keys(columnByKind);
  const { rows } = await sql<Counted>`
    select day::text, kind, sum(amount)::bigint as amount from (
      select day, kind, amount from usage_days
        where workspace_id = ${workspaceId} and day >= ${first}::date and kind = any(${kinds}::text[])
      union all
      select (at at time zone 'utc')::date, kind, amount from usage_ledger
        where workspace_id = ${workspaceId} and at >= ${first}::timestamp at time zone 'utc' and kind = any(${kinds}::text[])) counted
    group by 1, 2`.execute(db);
  return rows;
}

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
