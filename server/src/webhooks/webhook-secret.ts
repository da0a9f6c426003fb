import { randomBytes } from 'node:crypto';
import { brand } from '@postrider/contract';
import { type DerivedKeys, decrypt, encrypt } from '../lib/crypto/secrets.ts';

const secretBytes = 32;
const purpose = 'webhook secrets';

/** Returns a new signing secret. */
export function makeSecret(): string {
  return brand.webhookSecretPrefix + randomBytes(secretBytes).toString('base64');
}

/** Returns a signing secret as it is stored, which the row of no other webhook can use. */
export function sealSecret(keys: DerivedKeys, webhookId: string, secret: string): string {
  return encrypt(keys, purpose, webhookId, secret);
}

/** Returns the signing secret that `sealSecret` was given. Throws an Error if the root secret of the server has changed. */
export function openSecret(keys: DerivedKeys, webhookId: string, sealed: string): string {
  return decrypt(keys, purpose, webhookId, sealed);
}
