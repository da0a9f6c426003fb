import type { DmarcPolicy } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { daysBefore, utcDay } from './record-report.ts';

/** The mail that receivers reported as claiming to be from a domain in the last 14 days. */
export interface ReportedMail {
  passed: number;
  failed: number;
  /** The source of the most failing mail; null if no source is known. */
  worst: { source: string; failed: number; isOwn: boolean } | null;
}

/** The days whose reports are shown. */
const shownDays = 14;

interface Row {
  domain_id: string;
  passed: number;
  failed: number;
  worst: ReportedMail['worst'];
}

/** Returns the reported mail of the caller's domains by their ids, by one query. Domains without reports are left out. */
export async function findReportedMail(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'clock'>,
  domainIds: string[],
): Promise<Map<string, ReportedMail>> {
  if (domainIds.length === 0) return new Map();
  const since = utcDay(daysBefore(ctx.clock.now(), shownDays));
  const { rows } = await sql<Row>`with sources as (
      select domain_id, source, sum(passed) as passed, sum(failed) as failed, bool_or(is_own and failed > 0) as is_own
        from dmarc_counts where workspace_id = ${ctx.workspaceId} and domain_id = any(${domainIds}::text[])
        and day >= ${since}::date group by domain_id, source)
    select domain_id, sum(passed)::float8 as passed, sum(failed)::float8 as failed,
      (array_agg(jsonb_build_object('source', source, 'failed', failed, 'isOwn', is_own) order by failed desc, source)
        filter (where source <> '' and failed > 0))[1] as worst
      from sources group by domain_id`.execute(ctx.db);
  return new Map(
    rows.map(({ domain_id, passed, failed, worst }) => [
      domain_id,
      { passed: Number(passed), failed: Number(failed), worst },
    ]),
  );
}

/** Less failing mail than this is likely to be a forger's or a forwarder's. */
const failedMin = 5;
const failedShareMin = 0.01;
const nextPolicy: Record<DmarcPolicy, DmarcPolicy> = {
  none: 'quarantine',
  quarantine: 'reject',
  reject: 'reject',
};

/** Returns what reports say about the next policy of a domain: a warning if it would hit more than 1 % of the mail. */
export function describeReports(policy: DmarcPolicy, { passed, failed, worst }: ReportedMail): string {
  const mails = passed + failed;
  if (failed < failedMin || failed <= mails * failedShareMin)
    return `reports of ${shownDays} days: ${count(mails)} emails, ${percent(passed, mails)} % pass`;
  const source = worst
    ? `, ${count(worst.failed)} of them from ${worst.source}${worst.isOwn ? ' with a return path or key of this server' : ''}`
    : '';
  return `warning: receivers reported ${count(failed)} of ${count(mails)} emails as failing DMARC in the last ${shownDays} days${source}, so p=${nextPolicy[policy]} may hit your own mail`;
}

function count(mails: number): string {
  return mails.toLocaleString('en-US');
}

/** Rounds down, so that 100 means all. */
function percent(part: number, whole: number): number {
  return Math.floor((part / whole) * 1_000) / 10;
}
