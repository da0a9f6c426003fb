import { limits } from '@postrider/contract';
import { consoleLimits } from '@postrider/contract/console';
import { forgetWorkspaces } from '../accounts/purge-workspace.ts';
import { removeExpiredEntries } from '../audit/remove-expired-entries.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { removeReports } from '../domains/reports/record-report.ts';
import { removeSentFiles } from '../drafts/draft-files.ts';
import { countsKeptMs } from '../policies/caps.ts';
import { removeDeliveries } from '../webhooks/end-deliveries.ts';
import { jobNames } from './job-names.ts';
import type { JobDefinition } from './queue.ts';

/** The time for which a verdict on inbound mail can be looked up. */
const decisionsKeptMs = 30 * 24 * 3_600_000;
/** Longer than a chart of usage shows, so that a year can be compared with the one before. */
const usageDaysKeptMs = 800 * 24 * 3_600_000;

/** Tables whose rows say when they expire. They are refused from then on, whether they are removed or not. */
const expiring = [
  'client_ids',
  'inbound_fingerprints',
  'person_sessions',
  'invitations',
  'password_resets',
  'used_tickets',
] as const;

/**
 * Creates the hourly job that removes expired sessions and links of people, idempotency keys, fingerprints, events and their deliveries,
 * verdicts, logged requests, the audit log after a year with the name of a deleted workspace, counts of days, counts of caps, DMARC
 * reports, and files of sent drafts.
 */
export function removeExpired(deps: Deps): JobDefinition<object> {
  return {
    name: jobNames.removeExpired,
    cron: '17 * * * *',
    run: async () => {
      const db = acrossWorkspaces(deps, 'windows end in all workspaces');
      const now = deps.clock.now();
      const before = (durationMs: number) => deps.timeScale.before(now, durationMs);
      for (const table of expiring) {
        await deleteInBatches(db.selectFrom(table).where('expires_at', '<=', now), db.deleteFrom(table));
      }
      const events = db.selectFrom('events').where('created_at', '<', before(limits.eventsKeptMs));
      await deleteInBatches(events, db.deleteFrom('events'));
      const decisions = db.selectFrom('smtp_decisions').where('at', '<', before(decisionsKeptMs));
      await deleteInBatches(decisions, db.deleteFrom('smtp_decisions'));
      const requests = db.selectFrom('api_requests').where('at', '<', before(consoleLimits.requestsKeptMs));
      await deleteInBatches(requests, db.deleteFrom('api_requests'));
      const counts = db.selectFrom('send_counts').where('slot', '<', before(countsKeptMs));
      await deleteInBatches(counts, db.deleteFrom('send_counts'));
      const firstDay = before(usageDaysKeptMs).toISOString().slice(0, 10);
      await deleteInBatches(
        db.selectFrom('usage_days').where('day', '<', firstDay),
        db.deleteFrom('usage_days'),
      );
      await removeExpiredEntries(deps);
      await forgetWorkspaces(deps);
      await removeReports(deps);
      await removeDeliveries(deps);
      await removeSentFiles(deps);
    },
  };
}
