import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { brand } from '@postrider/contract';
import { type DerivedKeys, decrypt, encrypt } from '../lib/crypto/primitives.ts';

/** The keys that sign deliveries, created once for many of them. */
export interface SigningKeys {
  /** The key of this service's own header: the text of the secret. */
  own: KeyObject;
  /** The keys of Standard Webhooks: the bytes of the secret, and of the previous one while it also signs. */
  standard: KeyObject[];
}

/** Creates the keys of a secret and of the previous one, if that also signs. */
export function signingKeys(current: string, previous: string | null): SigningKeys {
  return {
    own: createSecretKey(current, 'utf8'),
    standard: [current, ...(previous === null ? [] : [previous])].map((secret) =>
      createSecretKey(secret.slice(brand.webhookSecretPrefix.length), 'base64'),
    ),
  };
}

/** One attempt of a delivery. */
interface SignedAttempt {
  eventId: string;
  kind: string;
  /** The exact bytes that are sent. */
  body: Buffer;
  at: Date;
}

/**
 * Returns the headers that identify and sign a body: those of this service, with the current secret only, and those of Standard
 * Webhooks, with a signature for each secret.
 */
export function signDelivery(
  { own, standard }: SigningKeys,
  { eventId, kind, body, at }: SignedAttempt,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const head = `${eventId}.${timestamp}.`;
  const sign = (key: KeyObject) =>
    `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
  return {
    [brand.headers.event]: kind,
    [brand.headers.signature]: `sha256=${createHmac('sha256', own).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.map(sign).join(' '),
  };
}

const secretBytes = 32;
const purpose = 'webhook secrets';

/** Returns a new signing secret. */
export function makeSecret(): string {
  return brand.webhookSecretPrefix + randomBytes(secretBytes).toString('base64');
}

/** Returns a signing secret in its stored form, which the row of no other webhook can use. */
export function sealSecret(keys: DerivedKeys, webhookId: string, secret: string): string {
  return encrypt(keys, purpose, webhookId, secret);
}

/** Returns the signing secret that `sealSecret` was given. Throws an Error if the root secret of the server has changed. */
export function openSecret(keys: DerivedKeys, webhookId: string, sealed: string): string {
  return decrypt(keys, purpose, webhookId, sealed);
}
