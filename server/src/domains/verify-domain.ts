import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { unavailable } from '../lib/api-error.ts';
import { createSingleFlight } from '../lib/concurrency/batcher.ts';
import { leaseEnd } from '../lib/lease.ts';
import { perServer } from '../lib/memory.ts';
import { checkDomain, checkLease } from './check-domain.ts';
import { type DomainRow, getDomain } from './find-domain.ts';

/** How long a check waits for those of other domains. */
const turnWaitMs = 20_000;

const flightOf = perServer(() => createSingleFlight<void>());

/**
 * Checks the records of a domain now and returns it with the result. The search for the records of a domain that was given up begins anew.
 *
 * @throws ApiError `not_found`, `unavailable` if checks of other domains take too long.
 */
export async function verifyDomain(ctx: Context, id: string): Promise<DomainRow> {
  await getDomain(ctx, id);
  await flightOf(ctx)(id, () => begin(ctx, id));
  return getDomain(ctx, id);
}

async function begin(ctx: Context, id: string): Promise<void> {
  const domain = await scoped(ctx)
    .updateTable('domains')
    .set((of) => ({
      fence: sql`fence + 1`,
      // A worker that began a check now would make this one come too late.
      due_at: leaseEnd(ctx, checkLease, ctx.clock.now()),
      looking_since: of
        .case()
        .when('verified_at', 'is', null)
        .then(ctx.clock.now())
        .else(of.ref('looking_since'))
        .end(),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (domain) await checkDomain(ctx, domain, { waitMs: turnWaitMs, refusal: () => unavailable() });
}
