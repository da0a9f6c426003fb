import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { brand } from '@postrider/contract';

/** What deliveries are signed by; made once for many. */
export interface SigningKeys {
  /** Of the header of this service: the whole secret as it is spelled. */
  own: KeyObject;
  /** Of Standard Webhooks: the bytes of the secret, and of the one before for as long as it signs too. */
  standard: KeyObject[];
}

/** The keys of a secret, and of the one before where it signs too. */
export const signingKeys = (current: string, previous: string | null): SigningKeys => ({
  own: createSecretKey(current, 'utf8'),
  standard: [current, ...(previous === null ? [] : [previous])].map((secret) =>
    createSecretKey(secret.slice(brand.webhookSecretPrefix.length), 'base64'),
  ),
});

/** One attempt at a delivery. */
export interface SignedAttempt {
  eventId: string;
  kind: string;
  /** The exact bytes that are sent. */
  body: Buffer;
  at: Date;
}

/**
 * The headers that say what a body is and that it comes from here: those of this service, by the current secret alone, and those
 * of Standard Webhooks, with a signature by each secret.
 */
export const signDelivery = (
  { own, standard }: SigningKeys,
  { eventId, kind, body, at }: SignedAttempt,
): Record<string, string> => {
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
};
