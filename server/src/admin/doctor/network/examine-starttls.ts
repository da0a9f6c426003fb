import { X509Certificate } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import { settingNames } from '../../../lib/start/start-error.ts';
import { readCertificate } from '../../../mail/smtp/read-certificate.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import { type PresentedCertificate, readPresented } from './speak-smtp.ts';

const part = 'starttls';
const timeMs = 5_000;

/** Checks the certificate that the running server presents on its SMTP port: whether it is that of the file, and valid for its name. */
export async function examineStartTls({
  host,
  port,
  hostname,
  certFile,
  keyFile,
}: Config['smtp']): Promise<Finding[]> {
  if (!port) return [];
  const place = { host: host.replace(/^0\.0\.0\.0$|^::$/, 'localhost'), port, timeMs };
  const presented = await readPresented(place, hostname);
  if (!presented) return [problem(part, `The server at ${host}:${port} does not offer STARTTLS.`)];
  if (certFile && keyFile) {
    const { cert } = await readCertificate(certFile, keyFile);
    if (new X509Certificate(cert).fingerprint256 !== presented.fingerprint)
      return [
        problem(
          part,
          `The server presents another certificate than ${certFile}, valid until ${presented.validTo}.`,
          'Start the server again, so that it reads the file.',
        ),
      ];
  }
  return [judge(presented, hostname)];
}

function judge({ error, validTo, isSelfSigned }: PresentedCertificate, hostname: string): Finding {
  const remedy = `Set ${settingNames.tlsCert} and ${settingNames.tlsKey} to a certificate for ${hostname}, with its chain.`;
  if (error === null) return ok(part, `the certificate is valid for ${hostname} until ${validTo}`);
  if (error === 'CERT_HAS_EXPIRED') return problem(part, `The certificate expired at ${validTo}.`, remedy);
  if (isSelfSigned)
    return note(
      part,
      'The certificate is self-signed: mail arrives encrypted, except from senders that insist on a valid certificate.',
      remedy,
    );
  const reason =
    error === 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? `it is not for ${hostname}`
      : `its chain is not complete or not trusted (${error})`;
  return note(part, `Senders that insist on a valid certificate refuse this one: ${reason}.`, remedy);
}
