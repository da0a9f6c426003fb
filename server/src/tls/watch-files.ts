import type { Logger } from 'pino';
import type { CertificateFiles } from '../config/tls.ts';
import { startLoop } from '../lib/concurrency/worker-loop.ts';
import { sayError } from '../lib/start/start-error.ts';
import { readCertificate } from './read-certificate.ts';
import type { ServedCertificates } from './served-certificates.ts';

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
