import { PostriderError } from '../errors.ts';
import { deliveryHeaders, webhookSecretPrefix } from '../generated/brand.ts';
import { plainInput, sign, standardInput, toBase64, toBytes, toHex } from '../webhooks/signature.ts';

/** A request as the server posts it to a webhook. */
export interface SignedDelivery {
  body: string;
  headers: Record<string, string>;
}

/** The fields of an event that the headers of its delivery contain. */
export interface DeliveredEvent {
  id: string;
  event: string;
}

/** The options of `signDelivery`. */
export interface SignOptions {
  /** The signed time. Default: now. */
  timestamp?: Date | undefined;
}

/** A secret for tests, which belongs to no webhook. */
export const testSecret = `${webhookSecretPrefix}c2VjcmV0IG9mIG5vIHdlYmhvb2ssIGZvciB0ZXN0cyE=`;

/**
 * Signs an event as the server does, with both signatures, and returns the body and the headers to post. JSON
 * text is signed as it is. Rejects with a `PostriderError` if the secret is not that of a webhook.
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
      `The secret of a webhook must be ${webhookSecretPrefix} followed by base64. testSecret is one for tests.`,
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
