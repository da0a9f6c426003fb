import { sql } from 'kysely';
import { deleteInBatches } from '../../db/batched.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { dayOf, daysBefore, reportLimits } from './record-report.ts';

/** Removes what DMARC reports counted more than 90 days ago, of all domains. */
export async function removeReports(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const db = acrossWorkspaces(deps, 'reports of all workspaces expire');
  const end = daysBefore(deps.clock.now(), reportLimits.keptDays);
  const counts = db.selectFrom('dmarc_counts').where('day', '<', sql<string>`${dayOf(end)}::date`);
  await deleteInBatches(counts, db.deleteFrom('dmarc_counts'));
  const seen = db.selectFrom('seen_dmarc_reports').where('received_at', '<', end);
  await deleteInBatches(seen, db.deleteFrom('seen_dmarc_reports'));
}
