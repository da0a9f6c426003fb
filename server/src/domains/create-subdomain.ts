import { randomBytes } from 'node:crypto';
import { type CreateSubdomain, reservedNames } from '@postrider/contract';
import type { Context } from '../context.ts';
import { jobNames } from '../jobs/job-names.ts';
import { ApiError } from '../lib/api-error.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { planLimits } from '../workspaces/plan.ts';
import { claimHostname, lockHostname } from './claim-hostname.ts';
import { insertDomain } from './create-domain.ts';
import type { DomainRow } from './find-domain.ts';
import { sharedDomain } from './mail-domain.ts';

/**
 * Creates a subdomain of the shared domain for the caller alone, and has its records published in the background.
 *
 * @throws ApiError `dedicated_subdomain_requires_scale`, `domain_taken` if the label is reserved or in use, `limit_reached`,
 * `sending_not_allowed` for a key that a policy holds.
 */
export async function createSubdomain(ctx: Context, { label }: CreateSubdomain): Promise<DomainRow> {
  if (!planLimits(ctx).dedicated_subdomain)
    throw new ApiError('dedicated_subdomain_requires_scale', { upgrade: true });
  // The label becomes public in DNS.
  await requireUnheld(ctx);
  if ((reservedNames as readonly string[]).includes(label))
    throw new ApiError('domain_taken', {}, { message: 'Choose another label; this one is reserved.' });
  const name = `${label}.${sharedDomain(ctx).name}`;
  if (ctx.dnsPublisher && (await isInUse(ctx, name)))
    throw new ApiError('domain_taken', {}, { message: 'Choose another label; DNS has records of this one.' });
  return insertDomain(ctx, name, 'subdomain', async (tx, { id, hostname }) => {
    await lockHostname(tx, hostname);
    // The label belongs to the workspace that asked for it first, because its DNS is the service's.
    if (!(await claimHostname(tx, { id, hostname }))) throw new ApiError('domain_taken');
    await tx.queue.enqueue(tx, jobNames.publishSubdomain, { workspaceId: tx.workspaceId, domainId: id });
  });
}

/**
 * Returns whether DNS has records of a name already, which publishing would replace. Those of a wildcard, which any other name has as
 * well, do not count, and neither does the exchange that this server published for a subdomain that was deleted a moment ago.
 */
async function isInUse(
  { askZone, config }: Pick<Context, 'askZone' | 'config'>,
  name: string,
): Promise<boolean> {
  const parent = name.slice(name.indexOf('.') + 1);
  const types = ['MX', 'TXT', 'A', 'CNAME'] as const;
  const questions = types.map(async (type) => {
    const [own, other] = await Promise.all([
      askZone(name, type),
      askZone(`${randomBytes(8).toString('hex')}.${parent}`, type),
    ]);
    if (own.kind !== 'records' || other.kind === 'records') return false;
    return own.records.some(
      (record) => record.type !== 'MX' || record.value !== config.smtp.hostname.toLowerCase(),
    );
  });
  return (await Promise.all(questions)).includes(true);
}
