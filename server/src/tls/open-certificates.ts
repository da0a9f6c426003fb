import type { Logger } from 'pino';
import type { AcmeSettings, CertificateFiles } from '../config/tls.ts';
import { isUnavailable } from '../db/database-errors.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { sayError } from '../lib/start/start-error.ts';
import { openPair } from './acme/certificate-pair.ts';
import { readCertificate } from './read-certificate.ts';
import { ServedCertificates } from './served-certificates.ts';

/** Certificates that are kept up to date. */
export interface OpenCertificates {
  certificates: ServedCertificates;
  /** Stops keeping them up to date. */
  close(): Promise<void>;
}

/**
 * Opens the certificates that a process presents: that of the configured files, those that come by ACME, or a self-signed one for the name
 * of the SMTP greeting.
 *
 * @throws StartError if the files cannot be used.
 */
export async function openCertificates(deps: Deps): Promise<OpenCertificates> {
  const { tls, smtp } = deps.config;
  if (tls.files) {
    const certificates = new ServedCertificates(await readCertificate(tls.files));
    return { certificates, close: watchFiles(tls.files, certificates, deps) };
  }
  // The code that creates certificates is large, and useless to a server that has one.
  const { makeSelfSignedCertificate } = await import('./tls-certificate.ts');
  const certificates = new ServedCertificates(makeSelfSignedCertificate(smtp.hostname, deps.clock.now()));
  return { certificates, close: tls.acme ? await serveIssued(deps, tls.acme, certificates) : async () => {} };
}

/**
 * Reads the files of a certificate repeatedly, and serves their content whenever it changes. An unusable pair, for example with only one
 * file renewed yet, changes nothing. Returns a function that stops it.
 *
 * The files are read instead of watched for events of the file system, because such events do not come for changed links, which certbot and
 * Kubernetes use for renewals, nor from network drives.
 */
export function watchFiles(
  files: CertificateFiles,
  certificates: ServedCertificates,
  { log, lookAgainMs }: { log: Logger; lookAgainMs: number },
): () => Promise<void> {
  let failure = '';
  let isTold = false;
  const loop = startLoop({
    look: async () => {
      const { cert, key } = await readCertificate(files);
      failure = '';
      const served = certificates.find();
      if (cert === served.cert && key === served.key) return lookAgainMs;
      certificates.replace([{ cert, key }]);
      const { validTo } = certificates.find().x509;
      log.info(
        { certFile: files.certFile, validTo },
        'the certificate has changed and is presented from now on',
      );
      return lookAgainMs;
    },
    onError: (error) => {
      const said = sayError(error);
      // Between the writes of two files, they do not fit for a moment.
      if (said !== failure) isTold = false;
      else if (!isTold) {
        isTold = true;
        log.error(
          { err: error },
          'the new certificate cannot be used, and the one before is still presented',
        );
      }
      failure = said;
    },
    lookAgainMs,
  });
  return loop.stop;
}

/**
 * Presents the certificates that were issued, and each new one soon after any process has stored it. Until there is one, those that are
 * presented stay. Resolves once those that there are now are presented, with a function that stops it.
 */
async function serveIssued(
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
