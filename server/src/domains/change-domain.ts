import type { DmarcPolicy, SetDmarcPolicy } from '@postrider/contract';
import { recordAct } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { jobNames } from '../jobs/job-names.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { freeAddresses, lockDomain, lockHostname } from './claim-hostname.ts';
import { type DomainRow, getDomain } from './find-domain.ts';

const steps: DmarcPolicy[] = ['none', 'quarantine', 'reject'];

/**
 * Sets the DMARC policy that a domain has to publish: the next step if none is given. Returns the domain, whose record is to be published
 * again.
 *
 * @throws ApiError `not_found`, `invalid_request` for a policy that skips a step.
 */
export async function setDmarcPolicy(
  ctx: Context,
  id: string,
  { policy }: SetDmarcPolicy,
): Promise<DomainRow> {
  await getDomain(ctx, id);
  const row = await inTransaction(ctx, async (tx) => {
    const locked = await scoped(tx)
      .selectFrom('domains')
      .select('dmarc_policy')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    const next = nextPolicy(locked?.dmarc_policy ?? 'none', policy);
    if (next === locked?.dmarc_policy) return getDomain(tx, id);
    return change(tx, id, next);
  });
  ctx.wakeups.wake(ctx.workspaceId, 'domains');
  return row;
}

function nextPolicy(current: DmarcPolicy, wanted: DmarcPolicy | undefined): DmarcPolicy {
  const place = steps.indexOf(current);
  const next = steps[Math.min(place + 1, steps.length - 1)] ?? current;
  if (wanted === undefined) return next;
  if (steps.indexOf(wanted) <= place + 1) return wanted;
  throw invalidField('policy', `must be ${next} first: the policy becomes stricter one step at a time`);
}

async function change(tx: Context, id: string, policy: DmarcPolicy): Promise<DomainRow> {
  const before = await getDomain(tx, id);
  const at = tx.clock.now();
  // A check in progress looked for the former policy, so its result must not count.
  await scoped(tx)
    .updateTable('domains')
    .set({
      dmarc_policy: policy,
      due_at: at,
      fence: before.fence + 1,
      checks: JSON.stringify(
        before.checks.map((check) =>
          check.purpose === 'dmarc' && check.status === 'verified'
            ? {
                ...check,
                status: 'pending',
                hint: `a weaker policy than p=${policy}: ${check.found}`,
                isWeaker: true,
                since: at.toISOString(),
              }
            : check,
        ),
      ) as never,
    })
    .where('id', '=', id)
    .execute();
  if (before.kind === 'subdomain')
    await tx.queue.enqueue(tx, jobNames.publishSubdomain, { workspaceId: tx.workspaceId, domainId: id });
  await recordAct(tx, {
    action: 'domain.dmarc_changed',
    target: id,
    before: { hostname: before.hostname, policy: before.dmarc_policy },
    after: { hostname: before.hostname, policy },
  });
  return getDomain(tx, id);
}

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
    const { hostname, kind } = row;
    await freeAddresses(tx, { workspaceId: tx.workspaceId, domainId: id, hostname });
    await giveUpDomain(tx, row);
    const before = { hostname, kind, status: row.status, dmarc_policy: row.dmarc_policy };
    await recordAct(tx, { action: 'domain.deleted', target: id, before });
  });
}

/** Removes a domain in a transaction that has locked it, and what the server published or registered elsewhere in the background. */
export async function giveUpDomain(
  tx: Pick<Context, 'db' | 'workspaceId' | 'queue' | 'wakeups'>,
  { id, hostname, kind, dkim_selector }: DomainRow,
): Promise<void> {
  const db = acrossWorkspaces(tx, 'hostnames are unique over all workspaces');
  await db
    .deleteFrom('verified_hostnames')
    .where('hostname', '=', hostname)
    .where('domain_id', '=', id)
    .execute();
  for (const table of ['dmarc_counts', 'seen_dmarc_reports'] as const)
    await scoped(tx).deleteFrom(table).where('domain_id', '=', id).execute();
  await scoped(tx).deleteFrom('domains').where('id', '=', id).execute();
  await tx.queue.enqueue(tx, jobNames.removeDomain, { hostname, kind, selector: dkim_selector });
}
