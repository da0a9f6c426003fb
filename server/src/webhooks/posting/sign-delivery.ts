import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { brand } from '@postrider/contract';

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
export interface SignedAttempt {
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
