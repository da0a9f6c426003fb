import { type CreateSubdomain, reservedNames } from '@postrider/contract';
import type { Context } from '../context.ts';
import { jobNames } from '../jobs/job-names.ts';
import { ApiError } from '../lib/api-error.ts';
import { planLimits } from '../workspaces/plan.ts';
import { claimHostname } from './claim-hostname.ts';
import { insertDomain } from './create-domain.ts';
import type { DomainRow } from './find-domain.ts';
import { sharedDomain } from './mail-domain.ts';

/**
 * Creates a subdomain of the shared domain for the caller alone, and has its records published in the background.
 *
 * @throws ApiError `dedicated_subdomain_requires_scale`, `domain_taken` if the label is reserved or in use, `limit_reached`.
 */
export async function createSubdomain(ctx: Context, { label }: CreateSubdomain): Promise<DomainRow> {
  if (!planLimits(ctx).dedicated_subdomain)
    throw new ApiError('dedicated_subdomain_requires_scale', { upgrade: true });
  if ((reservedNames as readonly string[]).includes(label))
    throw new ApiError('domain_taken', {}, { message: 'Choose another label; this one is reserved.' });
  return insertDomain(
    ctx,
    `${label}.${sharedDomain(ctx).name}`,
    'subdomain',
    async (tx, { id, hostname }) => {
      // The label belongs to the workspace that asked for it first, because its DNS is the service's.
      if (!(await claimHostname(tx, { id, hostname }))) throw new ApiError('domain_taken');
      await tx.queue.enqueue(tx.db, jobNames.publishSubdomain, { workspaceId: tx.workspaceId, domainId: id });
    },
  );
}
