import { randomBytes } from 'node:crypto';
import { brand } from '@postrider/contract';
import { type DerivedKeys, decrypt, encrypt } from '../lib/secrets.ts';

const secretBytes = 32;
const purpose = 'webhook secrets';

/** A new signing secret. */
export const makeSecret = (): string =>
  brand.webhookSecretPrefix + randomBytes(secretBytes).toString('base64');

/** A signing secret as it is stored; no other webhook's row can use it. */
export const sealSecret = (keys: DerivedKeys, webhookId: string, secret: string): string =>
  encrypt(keys, purpose, webhookId, secret);

/** The signing secret that `sealSecret` was given; throws an Error when the root secret of the server is another one. */
export const openSecret = (keys: DerivedKeys, webhookId: string, sealed: string): string =>
  decrypt(keys, purpose, webhookId, sealed);
