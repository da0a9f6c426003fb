import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CertificateFiles } from '../config/tls.ts';
import { StartError, settingNames } from '../lib/start/start-error.ts';
import type { TlsCertificate } from './tls-certificate.ts';

/**
 * Reads a certificate and its private key, both in PEM.
 *
 * @throws StartError if a file cannot be read or contains something else, or if the key belongs to another certificate.
 */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<TlsCertificate> {
  const cert = await readPem(certFile, settingNames.tlsCert);
  const key = await readPem(keyFile, settingNames.tlsKey);
  const certificate = parse(() => new X509Certificate(cert), certFile, settingNames.tlsCert, 'certificate');
  const privateKey = parse(() => createPrivateKey(key), keyFile, settingNames.tlsKey, 'private key');
  if (!certificate.checkPrivateKey(privateKey))
    throw new StartError(
      `${keyFile} is not the key of ${certFile}. Set ${settingNames.tlsCert} and ${settingNames.tlsKey} to a matching pair.`,
    );
  return { cert, key };
}

async function readPem(file: string, setting: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartError(
      `${setting}: ${file} cannot be read. Set it to a file that the user of the server can read: docs/self-hosting/tls.md shows how.`,
      error,
    );
  }
}

function parse<T>(read: () => T, file: string, setting: string, what: string): T {
  try {
    return read();
  } catch (error) {
    throw new StartError(
      `${setting}: ${file} holds no ${what} in PEM${what === 'private key' ? ' that can be read without a password' : ''}.`,
      error,
    );
  }
}
