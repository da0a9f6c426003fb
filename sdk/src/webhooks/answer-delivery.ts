import { checkOptions } from '../check-options.ts';
import { PostriderError, WebhookVerificationError, type WebhookVerificationReason } from '../errors.ts';
import type { Event } from '../generated/types.ts';
import { pause } from '../pause.ts';
import type { DeliveryHeaders } from './delivery-headers.ts';
import type { Bytes } from './signature.ts';
import { type RawBody, type UnwrapOptions, unwrap, unwrapOptionNames } from './unwrap.ts';

/** Handles an event. With `ack: 'late'`, the server posts the event again if this throws or rejects. */
export type WebhookHandler<Context extends unknown[]> = (event: Event, ...context: Context) => unknown;

/** The options of an adapter. */
export interface WebhookOptions<Context extends unknown[] = []> extends Omit<UnwrapOptions, 'now'> {
  /** The webhook's secret, or a function that returns it. Default: `POSTRIDER_WEBHOOK_SECRET`. */
  secret?: string | ((...context: Context) => string | undefined | Promise<string | undefined>) | undefined;
  /**
   * When to respond to a verified delivery. `late`: once the handler has finished, which must take less than
   * 10 s; if it fails, the server posts the event again. `early`: before the handler begins, which may then
   * take any time; if it fails, only `onError` gets the error, and the event is not posted again. Default:
   * `late`, or `early` with `waitUntil`.
   */
  ack?: 'early' | 'late' | undefined;
  /**
   * Called with the work that remains after an early response, for platforms that would otherwise stop it.
   * The further arguments are those that the handler gets after the event: `(work, env, ctx) =>
   * ctx.waitUntil(work)` in a Worker, `after` in Next.js.
   */
  waitUntil?: ((work: Promise<void>, ...context: Context) => void) | undefined;
  /** The largest body that is accepted, in bytes. Default: 5 MiB. */
  maxBodyBytes?: number | undefined;
  /** Called with errors of the handler, and with mistakes in the setup. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The response to a delivery: 204, or an error status with a reason in JSON. */
export interface WebhookAnswer {
  status: number;
  body: string | null;
}

/** Message bodies in events are cut, so only the headers of an email can make an event large. */
export const maxBodyBytesDefault = 5 * 1024 * 1024;
const statuses: { [Reason in WebhookVerificationReason]?: number } = {
  body_too_large: 413,
  // The sender cannot fix these. A 500 makes it post the event again, and `onError` gets the error.
  missing_secret: 500,
  malformed_secret: 500,
  parsed_body: 500,
};

const optionNames = ['secret', 'ack', 'waitUntil', 'maxBodyBytes', 'onError', ...unwrapOptionNames];

/** Throws a `PostriderError` if the options of an adapter are unknown or invalid. */
export function checkWebhookOptions(adapter: string, options: { ack?: unknown }): void {
  checkOptions(adapter, options, optionNames);
  const { ack } = options;
  if (ack !== undefined && ack !== 'early' && ack !== 'late') {
    throw new PostriderError(`ack must be 'early' or 'late', not ${JSON.stringify(ack)}.`);
  }
}

/**
 * Reads and verifies a delivery, passes its event to the handler, and returns the response. Never rejects.
 */
export async function answerDelivery<Context extends unknown[]>(
  read: (maxBytes: number) => Promise<RawBody> | RawBody,
  headers: DeliveryHeaders,
  context: Context,
  handler: WebhookHandler<Context>,
  options: WebhookOptions<Context>,
): Promise<WebhookAnswer> {
  const { secret, maxBodyBytes = maxBodyBytesDefault, onError = console.error, waitUntil } = options;
  const { ack = waitUntil === undefined ? 'late' : 'early' } = options;
  const { toleranceSeconds, dangerouslyAllowReplays, requireTimestamp } = options;
  let event: Event;
  try {
    const key = typeof secret === 'function' ? await secret(...context) : secret;
    const strictness = { toleranceSeconds, dangerouslyAllowReplays, requireTimestamp };
    event = await unwrap(await read(maxBodyBytes), headers, key, strictness);
  } catch (error) {
    const reason = error instanceof WebhookVerificationError ? error.reason : null;
    const status = reason === null ? 500 : (statuses[reason] ?? 400);
    if (status === 500) await tell(onError, error);
    // Any other failure came from the function that returns the secret.
    return refusal(status, reason ?? 'missing_secret');
  }
  if (ack === 'early') {
    const work = pause(0)
      .then(() => handler(event, ...context))
      .then(
        () => {},
        (error) => tell(onError, error),
      );
    waitUntil?.(work, ...context);
    return taken;
  }
  try {
    await handler(event, ...context);
    return taken;
  } catch (error) {
    await tell(onError, error);
    return refusal(500, 'handler_failed');
  }
}

const taken: WebhookAnswer = { status: 204, body: null };

/** Calls `onError`. The sender gets its response even if `onError` fails. */
async function tell(onError: (error: unknown) => unknown, error: unknown): Promise<void> {
  try {
    await onError(error);
  } catch {}
}

function refusal(status: number, reason: string): WebhookAnswer {
  return { status, body: JSON.stringify({ reason }) };
}

/**
 * Collects a body as it arrives. Throws a `WebhookVerificationError` if the body, or its `Content-Length`, is
 * too large.
 */
export class BodyCollector {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number, contentLength: unknown) {
    if (Number(contentLength ?? 0) > maxBytes) throw new WebhookVerificationError('body_too_large');
    this.#maxBytes = maxBytes;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    this.#chunks.push(chunk);
    if (this.#length <= this.#maxBytes) return;
    this.#chunks = [];
    throw new WebhookVerificationError('body_too_large');
  }

  /** Returns the whole body. */
  whole(): Bytes {
    const body = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      body.set(chunk, at);
      at += chunk.length;
    }
    return body;
  }
}
