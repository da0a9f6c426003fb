import { createPrivateKey, generateKeyPair, hash, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { brand } from '@postrider/contract';

// The callback form runs in the thread pool: finding the primes takes from 50 ms to a second.
const generate = promisify(generateKeyPair);

/** A key for DKIM signatures: the private part as PKCS #8 PEM, and the public part as DNS has it. */
export interface DkimKey {
  privateKeyPem: string;
  /** The DER of SubjectPublicKeyInfo in base64. */
  publicKeyBase64: string;
}

/** Returns a new RSA key of 2,048 bits, which is the longest that every receiver verifies (RFC 8301, section 3.2). */
export async function makeDkimKey(): Promise<DkimKey> {
  const { privateKey, publicKey } = await generate('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  return { privateKeyPem: privateKey, publicKeyBase64: publicKey.toString('base64') };
}

/** Returns the text of the TXT record that publishes a key (RFC 6376, section 3.6.1). It has more than the 255 octets of one string. */
export function dkimRecordOf(publicKeyBase64: string): string {
  return `v=DKIM1; k=rsa; p=${publicKeyBase64}`;
}

/** Returns the selector of a key. It depends on the key, so a new key is published next to the one that it replaces. */
export function dkimSelectorOf(publicKeyBase64: string): string {
  return brand.dkimSelectorPrefix + hash('sha256', publicKeyBase64, 'hex').slice(0, 6);
}

/** Returns the private key of a PEM. Throws a TypeError if it is not an RSA key. */
export function readDkimKey(privateKeyPem: string): KeyObject {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('The DKIM key is not an RSA key.');
  return key;
}
