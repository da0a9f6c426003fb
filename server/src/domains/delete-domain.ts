import { recordAct } from '../audit/record-act.ts';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { jobNames } from '../jobs/job-names.ts';
import { ApiError } from '../lib/api-error.ts';
import { freeAddresses, lockDomain, lockHostname } from './claim-hostname.ts';
import { type DomainRow, getDomain } from './find-domain.ts';

/**
 * Deletes a domain, frees its hostname for others, and removes what the server published or registered elsewhere in the background.
 *
 * @throws ApiError `not_found`, `domain_in_use` while an inbox uses it.
 */
export async function deleteDomain(ctx: Context, id: string): Promise<void> {
  const { hostname: name } = await getDomain(ctx, id);
  await inTransaction(ctx, async (tx) => {
    await lockHostname(tx, name);
    await lockDomain(tx, id, 'exclusively');
    const row = await getDomain(tx, id);
    const inbox = await scoped(tx)
      .selectFrom('inboxes')
      .select('id')
      .where('domain_id', '=', id)
      .where('deleted_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (inbox) throw new ApiError('domain_in_use');
    await removeRows(tx, row);
    const { hostname, kind, dkim_selector } = row;
    await tx.queue.enqueue(tx, jobNames.removeDomain, { hostname, kind, selector: dkim_selector });
    const before = { hostname, kind, status: row.status, dmarc_policy: row.dmarc_policy };
    await recordAct(tx, { action: 'domain.deleted', target: id, before });
  });
}

async function removeRows(tx: Context, { id, hostname }: DomainRow): Promise<void> {
  const db = acrossWorkspaces(tx, 'hostnames and addresses are unique over all workspaces');
  await freeAddresses(tx, { workspaceId: tx.workspaceId, domainId: id, hostname });
  await db
    .deleteFrom('verified_hostnames')
    .where('hostname', '=', hostname)
    .where('domain_id', '=', id)
    .execute();
  for (const table of ['dmarc_counts', 'seen_dmarc_reports'] as const)
    await scoped(tx).deleteFrom(table).where('domain_id', '=', id).execute();
  await scoped(tx).deleteFrom('domains').where('id', '=', id).execute();
}
