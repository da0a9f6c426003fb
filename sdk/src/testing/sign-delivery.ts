import { PostriderError } from '../errors.ts';
import { deliveryHeaders, webhookSecretPrefix } from '../generated/brand.ts';
import { plainInput, sign, standardInput, toBase64, toBytes, toHex } from '../webhooks/signature.ts';

/** A request as it is posted to a webhook. */
export interface SignedDelivery {
  body: string;
  headers: Record<string, string>;
}

/** An event, as far as its delivery names it. */
export interface DeliveredEvent {
  id: string;
  event: string;
}

/** When a delivery is signed. */
export interface SignOptions {
  /** The time that is signed. Default: now. */
  timestamp?: Date | undefined;
}

/** The secret of no webhook, for tests. */
export const testSecret = `${webhookSecretPrefix}c2VjcmV0IG9mIG5vIHdlYmhvb2ssIGZvciB0ZXN0cyE=`;

/**
 * Signs an event as the server does, by both schemes, and returns the body and the headers to post. JSON as text is signed as it
 * stands.
 *
 * @example
 * import { sampleEvent, signDelivery, testSecret } from 'postrider/testing';
 *
 * const { body, headers } = await signDelivery(sampleEvent('message.received'), testSecret);
 * await fetch('http://127.0.0.1:3000/hooks', { method: 'POST', body, headers });
 */
export async function signDelivery(
  event: DeliveredEvent | string,
  secret: string = testSecret,
  { timestamp = new Date() }: SignOptions = {},
): Promise<SignedDelivery> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const { id, event: kind }: DeliveredEvent = typeof event === 'string' ? JSON.parse(event) : event;
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const bytes = toBytes(body);
  const input = standardInput(secret, { id, timestamp: seconds, body: bytes });
  if (input === null) {
    throw new PostriderError(
      `A webhook's secret is ${webhookSecretPrefix} and base64; testSecret is one for tests.`,
    );
  }
  return {
    body,
    headers: {
      'content-type': 'application/json',
      [deliveryHeaders.event]: kind,
      [deliveryHeaders.signature]: `sha256=${toHex(await sign(plainInput(secret, bytes)))}`,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${toBase64(await sign(input))}`,
    },
  };
}
