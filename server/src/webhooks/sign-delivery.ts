import { createHmac } from 'node:crypto';
import { brand } from '@postrider/contract';

/** What a delivery is signed by. */
export interface SigningSecrets {
  current: string;
  /** The one before, for as long as it signs too. */
  previous: string | null;
}

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
  { current, previous }: SigningSecrets,
  { eventId, kind, body, at }: SignedAttempt,
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const standard = (secret: string) => signStandard(secret, `${eventId}.${timestamp}.`, body);
  return {
    [brand.headers.event]: kind,
    [brand.headers.signature]: `sha256=${createHmac('sha256', current).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': [current, ...(previous === null ? [] : [previous])].map(standard).join(' '),
  };
};

const signStandard = (secret: string, head: string, body: Buffer): string => {
  const key = Buffer.from(secret.slice(brand.webhookSecretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
};
