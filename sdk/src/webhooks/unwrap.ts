import { checkOptions } from '../check-options.ts';
import { readEnvironment } from '../environment.ts';
import { WebhookVerificationError } from '../errors.ts';
import { environment, webhookSecretPrefix } from '../generated/brand.ts';
import type { Event } from '../generated/types.ts';
import { type DeliveryHeaders, type DeliveryProof, readProof } from './delivery-headers.ts';
import { type Bytes, isSigned, plainInput, standardInput, toBytes } from './signature.ts';

/** The body of a request before any parser has read it. A `Buffer` is a `Uint8Array`. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** How strictly a delivery is verified. */
export interface UnwrapOptions {
  /** The maximum difference between the signed time and now, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
  /**
   * Accepts a delivery that has only the plain signature, which covers no time. Anybody who has recorded such
   * a delivery can post it again later. This is meant for proxies that remove the `webhook-…` headers.
   * Default: false.
   */
  dangerouslyAllowReplays?: boolean | undefined;
  /** @deprecated `false` means `dangerouslyAllowReplays: true`; a signed time is required by default. */
  requireTimestamp?: boolean | undefined;
  /** The current time. Default: that of the clock. */
  now?: Date | undefined;
}

/** The options of `unwrap` that adapters have too. */
export const unwrapOptionNames = ['toleranceSeconds', 'dangerouslyAllowReplays', 'requireTimestamp'];

const toleranceSecondsDefault = 300;

/**
 * Verifies the Standard Webhooks signature and the signed time of a webhook delivery, and returns its event.
 * `secret` is that of the webhook; it defaults to `POSTRIDER_WEBHOOK_SECRET`. Rejects with a
 * `WebhookVerificationError`, whose `reason` says why.
 *
 * @example
 * import { unwrap } from 'postrider/webhooks';
 *
 * const event = await unwrap(await request.text(), request.headers, process.env.POSTRIDER_WEBHOOK_SECRET);
 * console.log(event.event, event.message?.subject);
 */
export async function unwrap(
  rawBody: RawBody,
  headers: DeliveryHeaders,
  secret?: string,
  options: UnwrapOptions = {},
): Promise<Event> {
  checkOptions('unwrap', options, [...unwrapOptionNames, 'now']);
  const body = readBytes(rawBody);
  const key = secret ?? readEnvironment(environment.webhookSecret) ?? '';
  if (key === '') {
    throw new WebhookVerificationError(
      'missing_secret',
      `The secret is missing: pass it or set ${environment.webhookSecret}. It is shown when a webhook is created or rotated.`,
    );
  }
  const { dangerouslyAllowReplays = options.requireTimestamp === false } = options;
  // Plain JavaScript may pass 'false' or null, which must not allow replays.
  const proof = readProof(headers, dangerouslyAllowReplays === true);
  if (proof.scheme === 'standard') checkTime(Number(proof.timestamp), options);
  if (!(await isSigned(signedInput(key, proof, body), proof.signatures))) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'The signature does not match this secret and body. The secret belongs to another webhook, the body was parsed or changed, or ' +
        'somebody else sent the request.',
    );
  }
  return readEvent(body);
}

function readBytes(rawBody: unknown): Bytes {
  if (typeof rawBody === 'string') return toBytes(rawBody);
  // `instanceof` would fail in test runners, where bytes come from another realm.
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).slice() as Bytes;
  }
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') {
    return new Uint8Array(rawBody as ArrayBuffer);
  }
  throw parsedBody(typeof rawBody === 'object' && rawBody !== null ? 'a parsed object' : String(rawBody));
}

/** Returns the error for a body that is not raw bytes, with advice on how to fix it. */
export function parsedBody(what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'parsed_body',
    `The body must be the bytes as received, but it is ${what}. Do not parse it first: with Express, mount the webhook ` +
      'before express.json(); otherwise, read the request as text.',
  );
}

function signedInput(secret: string, proof: DeliveryProof, body: Bytes) {
  if (proof.scheme === 'plain') return plainInput(secret, body);
  const input = standardInput(secret, { ...proof, body });
  if (input !== null) return input;
  throw new WebhookVerificationError(
    'malformed_secret',
    `The secret must be ${webhookSecretPrefix} followed by base64, as it was shown.`,
  );
}

function checkTime(
  timestamp: number,
  { toleranceSeconds = toleranceSecondsDefault, now }: UnwrapOptions,
): void {
  const ageSeconds = (now?.getTime() ?? Date.now()) / 1000 - timestamp;
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  const isOld = ageSeconds > 0;
  throw new WebhookVerificationError(
    isOld ? 'timestamp_too_old' : 'timestamp_too_new',
    `It was signed ${Math.abs(Math.round(ageSeconds))} s ${isOld ? 'ago' : 'ahead of now'}, and ${toleranceSeconds} s are ` +
      'allowed. It is a copy of an old delivery, or a clock is wrong.',
  );
}

function readEvent(body: Bytes): Event {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event === 'object' && event !== null && 'event' in event) return event as Event;
  } catch {
    // Reported below, like any other body that is not an event.
  }
  throw new WebhookVerificationError(
    'malformed_body',
    'The signature is valid, but the body is not an event in JSON.',
  );
}
