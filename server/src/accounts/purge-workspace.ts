import { limits } from '@postrider/contract';
import { consoleLimits } from '@postrider/contract/console';
import { inTransaction } from '../db/connections.ts';
import { deleteInBatches, untilDone } from '../db/delete-in-batches.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { giveUpDomain } from '../domains/change-domain.ts';
import { lockDomain, lockHostname } from '../domains/claim-hostname.ts';
import { removeInbox } from '../inboxes/purge-inbox.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { selectFirst } from '../people/first-workspace.ts';

/** A workspace that was deleted, and when. */
export interface Deleted {
  workspaceId: string;
  deletedAt: Date;
}

/** Tables whose rows go neither with an inbox nor with a domain. The ledger of usage is added up meanwhile, so its totals come after it. */
const ofWorkspace = [
  'webhook_deliveries',
  'webhooks',
  'events',
  'api_keys',
  'admin_tokens',
  'invitations',
  'memberships',
  'policies',
  'send_counts',
  'client_ids',
  'labels',
  'rules',
  'suppressions',
  'deleted_threads',
  'smtp_decisions',
  'api_requests',
  'dmarc_counts',
  'seen_dmarc_reports',
  'embedding_progress',
  'search_gone',
  'search_words',
  'search_buckets',
  'search_workspaces',
  'usage_ledger',
  'usage_totals',
  'usage_days',
] as const;

/**
 * Removes everything that a deleted workspace has, except its audit log, the addresses that are held, and the pause that keeps it from
 * sending. Running it twice does no harm. It calls `meanwhile` before each batch, whose error ends it there.
 */
export async function purgeWorkspace(
  deps: Deps,
  deleted: Deleted,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { workspaceId } = deleted;
  const rows = scoped({ db: deps.db, workspaceId, scope: wholeWorkspace });
  await untilDone(() => purgeInboxes(deps, deleted, meanwhile));
  await untilDone(async () => {
    await meanwhile();
    return purgeDomain(deps, workspaceId);
  });
  for (const table of ofWorkspace)
    await deleteInBatches(rows.selectFrom(table), rows.deleteFrom(table), meanwhile);
  await deps.files.deletePrefix(workspaceId, meanwhile);
}

const inboxesAtOnce = 100;

/** Removes some inboxes one after another, each with its mail and files. Returns whether there may be more. */
async function purgeInboxes(deps: Deps, deleted: Deleted, meanwhile: () => Promise<void>): Promise<boolean> {
  const { workspaceId } = deleted;
  const some = await scoped({ db: deps.db, workspaceId, scope: wholeWorkspace })
    .selectFrom('inboxes')
    .select(['id', 'address'])
    .orderBy('id')
    .limit(inboxesAtOnce)
    .execute();
  for (const { id, address } of some) {
    await inTransaction(deps, (tx) => hideInbox(tx, deleted, { id, address }));
    await removeInbox(deps, { workspaceId, inboxId: id }, meanwhile);
  }
  return some.length > 0;
}

/** Marks an inbox as deleted with its workspace, and holds its address from that time. Waits for mail that is being stored. */
async function hideInbox(
  tx: Deps,
  { workspaceId, deletedAt }: Deleted,
  { id, address }: { id: string; address: string },
): Promise<void> {
  await lock(tx, 'inbox', id);
  const rows = scoped({ db: tx.db, workspaceId, scope: wholeWorkspace });
  await rows
    .updateTable('inboxes')
    .set({ deleted_at: deletedAt })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute();
  await rows
    .updateTable('addresses')
    .set({ held_until: tx.timeScale.after(deletedAt, limits.addressHoldMs) })
    .where('address', '=', address)
    .where('inbox_id', '=', id)
    .where('held_until', 'is', null)
    .execute();
}

/** Gives up a domain. The addresses at it are held, as all others. Returns whether there may be more. */
function purgeDomain(deps: Deps, workspaceId: string): Promise<boolean> {
  return inTransaction({ ...deps, workspaceId }, async (tx) => {
    const row = await scoped(tx).selectFrom('domains').selectAll().orderBy('id').limit(1).executeTakeFirst();
    if (!row) return false;
    await lockHostname(tx, row.hostname);
    await lockDomain(tx, row.id, 'exclusively');
    await giveUpDomain(tx, row);
    return true;
  });
}

/**
 * Removes the records of deleted workspaces whose audit logs are no longer kept: their names, and the held addresses. The first workspace
 * is kept, or the next one would become the operator's.
 */
export async function forgetWorkspaces(deps: Pick<Deps, 'db' | 'clock' | 'timeScale'>): Promise<void> {
  const before = deps.timeScale.before(deps.clock.now(), consoleLimits.auditKeptMs);
  const gone = await acrossWorkspaces(deps, 'workspaces that were deleted')
    .selectFrom('workspaces')
    .select('id')
    .where('purge_at', 'is', null)
    .where('deleted_at', '<', before)
    .where('id', '!=', selectFirst(deps))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit_entries').select('seq').whereRef('workspace_id', '=', 'workspaces.id'))),
    )
    .execute();
  for (const { id } of gone)
    await inTransaction(deps, async (tx) => {
      const rows = scoped({ db: tx.db, workspaceId: id, scope: wholeWorkspace });
      for (const table of ['addresses', 'audit_heads'] as const) await rows.deleteFrom(table).execute();
      const workspaces = acrossWorkspaces(tx, 'workspaces that were deleted');
      await workspaces.deleteFrom('workspaces').where('id', '=', id).execute();
    });
}
