import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/connections.ts';
import { deleteInBatches } from '../../db/delete-in-batches.ts';
import { acrossWorkspaces, scoped } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../lib/crypto/primitives.ts';
import type { DmarcCount, DmarcHead } from '../../mail/reports/read-dmarc-report.ts';
import { lockDomain } from '../claim-hostname.ts';
import type { ReportedDomain } from './find-reported-domain.ts';

/** The limits on what reports may store for a domain. */
export const reportLimits: {
  /** The time for which counts and the ids of reports are kept. */
  keptDays: number;
  /** Beyond this, the oldest rows are removed. */
  rowsMax: number;
  /** Reports of one reporter in a day. Further ones are not counted. */
  reportsPerDay: number;
} = { keptDays: 90, rowsMax: 10_000, reportsPerDay: 100 };

/** A report on a domain, and the verified domain of the mail that brought it. */
interface ArrivedReport {
  reporter: string;
  head: DmarcHead;
  counts: DmarcCount[];
}

/** The treatment of a report: `outdated` is older than 90 days, `limited` is over the limit of its reporter, `gone` has no domain. */
type ReportOutcome = 'counted' | 'repeated' | 'outdated' | 'limited' | 'gone';

const dayMs = 24 * 3_600_000;

/** Returns the moment a number of days before another. These days are the receivers', so they are not scaled. */
export function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * dayMs);
}

/** Returns the day (UTC) of a moment, as the database has it. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Adds the counts of a report to those of its domain, durably by the time it resolves. A report counts once, however often it comes. */
export async function recordReport(
  deps: Pick<Context, 'db' | 'clock'>,
  { workspaceId, domainId }: ReportedDomain,
  report: ArrivedReport,
): Promise<ReportOutcome> {
  const at = deps.clock.now();
  const begin = new Date(report.head.begin * 1_000);
  // A clock that is a day ahead is in another time zone.
  const isRecent = begin > daysBefore(at, reportLimits.keptDays) && begin < daysBefore(at, -1);
  if (!isRecent) return 'outdated';
  return inTransaction({ db: deps.db, workspaceId }, async (tx) => {
    await lockDomain(tx, domainId, 'exclusively');
    const row = await scoped(tx)
      .selectFrom('domains')
      .select('id')
      .where('id', '=', domainId)
      .executeTakeFirst();
    if (!row) return 'gone';
    const refusal = await noteReport(tx, domainId, report, at);
    if (refusal) return refusal;
    await addCounts(tx, domainId, utcDay(begin), report.counts);
    return 'counted';
  });
}

type Tx = Pick<Context, 'db' | 'workspaceId'>;

/** Notes that a report was counted. Returns the reason if it must not be. */
async function noteReport(
  tx: Tx,
  domainId: string,
  { reporter, head }: ArrivedReport,
  at: Date,
): Promise<'repeated' | 'limited' | null> {
  const { count } = await scoped(tx)
    .selectFrom('seen_dmarc_reports')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('domain_id', '=', domainId)
    .where('reporter', '=', reporter)
    .where('received_at', '>', daysBefore(at, 1))
    .executeTakeFirstOrThrow();
  const noted = await tx.db
    .insertInto('seen_dmarc_reports')
    .values({
      workspace_id: tx.workspaceId,
      domain_id: domainId,
      reporter,
      hash: sha256(JSON.stringify([head.orgName, head.reportId])),
      received_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('reporter')
    .executeTakeFirst();
  if (!noted) return 'repeated';
  if (Number(count) >= reportLimits.reportsPerDay) return 'limited';
  await sql`delete from seen_dmarc_reports where ctid = any(array(select ctid from seen_dmarc_reports
    where workspace_id = ${tx.workspaceId} and domain_id = ${domainId}
    order by received_at desc offset ${reportLimits.rowsMax}))`.execute(tx.db);
  return null;
}

async function addCounts(tx: Tx, domainId: string, day: string, counts: DmarcCount[]): Promise<void> {
  const db = acrossWorkspaces(tx, 'the rows are written and removed by their workspace_id');
  await sql`insert into dmarc_counts (workspace_id, domain_id, day, is_own, source, passed, failed)
    select ${tx.workspaceId}, ${domainId}, ${day}::date, "isOwn", source, passed, failed
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
        as counts ("isOwn" boolean, source text, passed bigint, failed bigint)
    on conflict (workspace_id, domain_id, day, is_own, source) do update
      set passed = dmarc_counts.passed + excluded.passed, failed = dmarc_counts.failed + excluded.failed`.execute(
    db,
  );
  await sql`delete from dmarc_counts where ctid = any(array(select ctid from dmarc_counts
    where workspace_id = ${tx.workspaceId} and domain_id = ${domainId}
    order by day desc offset ${reportLimits.rowsMax}))`.execute(db);
}

/** Removes what DMARC reports counted more than 90 days ago, of all domains. */
export async function removeReports(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const db = acrossWorkspaces(deps, 'reports of all workspaces expire');
  const end = daysBefore(deps.clock.now(), reportLimits.keptDays);
  const counts = db.selectFrom('dmarc_counts').where('day', '<', sql<string>`${utcDay(end)}::date`);
  await deleteInBatches(counts, db.deleteFrom('dmarc_counts'));
  const seen = db.selectFrom('seen_dmarc_reports').where('received_at', '<', end);
  await deleteInBatches(seen, db.deleteFrom('seen_dmarc_reports'));
}
