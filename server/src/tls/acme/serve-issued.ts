import type { AcmeSettings } from '../../config/tls.ts';
import { isUnavailable } from '../../db/database-errors.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import type { ServedCertificates } from '../served-certificates.ts';
import { openPair } from './certificate-pair.ts';

/**
 * Presents the certificates that were issued, and each new one soon after any process has stored it. Until there is one, those that are
 * presented stay. Resolves once those that there are now are presented, with a function that stops it.
 */
export async function serveIssued(
  deps: Deps,
  { hostnames }: AcmeSettings,
  certificates: ServedCertificates,
): Promise<() => Promise<void>> {
  let served = '';
  const look = async () => {
    const rows = await readRows(deps, hostnames);
    for (const { hostname, valid_to } of rows)
      if (valid_to) deps.metrics.certificateEnds.set({ hostname }, valid_to.getTime() / 1_000);
    const stored = rows.map(({ sealed_pair }) => sealed_pair).join();
    if (stored === served) return nothingDue;
    const [first, ...others] = rows.flatMap((row) => openPair(deps.keys, row) ?? []);
    if (first) certificates.replace([first, ...others]);
    served = stored;
    return nothingDue;
  };
  await look();
  const loop = startLoop({
    look,
    onError: (error) => {
      if (!isUnavailable(error)) deps.log.error({ err: error }, 'issued certificates could not be read');
    },
    lookAgainMs: deps.lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'certificates');
  return () => {
    unlisten();
    return loop.stop();
  };
}

/** Returns the rows of hosts, in the order of these. */
async function readRows(deps: Deps, hostnames: string[]) {
  const rows = await acrossWorkspaces(deps, 'certificates are of the whole server')
    .selectFrom('tls_certificates')
    .select(['hostname', 'sealed_pair', 'valid_to'])
    .where('hostname', 'in', hostnames)
    .execute();
  return hostnames.flatMap((hostname) => rows.find((row) => row.hostname === hostname) ?? []);
}
