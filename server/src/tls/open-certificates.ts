import type { Deps } from '../deps.ts';
import { serveIssued } from './acme/serve-issued.ts';
import { readCertificate } from './read-certificate.ts';
import { ServedCertificates } from './served-certificates.ts';
import { watchFiles } from './watch-files.ts';

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
