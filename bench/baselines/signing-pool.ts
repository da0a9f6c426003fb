import { generateKeyPairSync } from 'node:crypto';
import { createTransport } from 'nodemailer';

/** Opens a pool of nodemailer to a relay, which signs every mail with RSA-2048. */
export function openSigningPool(port: number, connections: number) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
    dkim: { domainName: 'sender.example', keySelector: 'bench', privateKey },
  });
}
