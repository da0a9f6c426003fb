import { sql } from 'kysely';
import type { AcmeSettings } from '../../config/tls.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { type LeaseLength, leaseEnd } from '../../lib/clock.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { type CertificateRow, orderMsMax, renewCertificate, retryMsMax } from './renew-certificate.ts';

/** Longer than an order can take. After this time, an order that a dead process began is made again. */
const orderLease: LeaseLength = { ms: orderMsMax + 60_000, leastMs: 120_000 };

function whole(deps: Deps) {
  return acrossWorkspaces(deps, 'certificates are of the whole server');
}

/**
 * Orders and renews the certificates of this server when they are due. Any number of processes can run it, and each order is made by one of
 * them. Returns a function that stops it.
 */
export function startCertificateWatch(deps: Deps, acme: AcmeSettings): () => Promise<void> {
  let isPrepared = false;
  const loop = startLoop({
    look: async () => {
      if (!isPrepared) await prepareRows(deps, acme);
      isPrepared = true;
      for (let row = await claimDue(deps, acme); row; row = await claimDue(deps, acme))
        deps.background.run(renewCertificate(deps, acme, row).finally(loop.wake));
      return untilNextMs(deps, acme);
    },
    onError: (error) => deps.log.error({ err: error }, 'due certificates were not claimed'),
    lookAgainMs: deps.lookAgainMs,
  });
  return loop.stop;
}

/**
 * Adds the rows that are missing, and makes those due that have no certificate of the configured server. One that is due later than any
 * look stores was stored while the clock was ahead. One that is due within the time of an order may be under way in another process.
 */
async function prepareRows(deps: Deps, { directory, hostnames }: AcmeSettings): Promise<void> {
  const now = deps.clock.now();
  const latest = new Date(now.getTime() + retryMsMax);
  const first = { directory, due_at: now, fence: 0, failures: 0 };
  await whole(deps)
    .insertInto('tls_certificates')
    .values(hostnames.map((hostname) => ({ hostname, ...first })))
    .onConflict((row) =>
      row
        .column('hostname')
        .doUpdateSet({ due_at: now, failures: 0 })
        .where(
          sql<boolean>`tls_certificates.due_at > ${leaseEnd(deps, orderLease, now)} and (
            tls_certificates.directory <> excluded.directory or tls_certificates.due_at > ${latest}
            or not starts_with(tls_certificates.sealed_pair, ${`${deps.keys.keyId}.`}))`,
        ),
    )
    .execute();
}

function claimDue(deps: Deps, { hostnames }: AcmeSettings): Promise<CertificateRow | undefined> {
  const at = deps.clock.now();
  const due = whole(deps)
    .selectFrom('tls_certificates')
    .select('hostname')
    .where('hostname', 'in', hostnames)
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return whole(deps)
    .with('due', () => due)
    .updateTable('tls_certificates')
    .from('due')
    .set({ due_at: leaseEnd(deps, orderLease, at), fence: sql`fence + 1` })
    .whereRef('tls_certificates.hostname', '=', 'due.hostname')
    .returningAll('tls_certificates')
    .executeTakeFirst();
}

async function untilNextMs(deps: Deps, { hostnames }: AcmeSettings): Promise<number> {
  const { at } = await whole(deps)
    .selectFrom('tls_certificates')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .where('hostname', 'in', hostnames)
    .executeTakeFirstOrThrow();
  return at ? at.getTime() - deps.clock.now().getTime() : nothingDue;
}
