import { brand, limits } from '@postrider/contract';
import type { Deps } from '../../deps.ts';
import type { Post, PostOutcome } from '../../egress/egress.ts';
import { ownAttributes, type SpanAttributes } from '../../lib/tracing.ts';
import type { ClaimedDelivery } from '../delivery.ts';
import { type SigningKeys, signDelivery } from '../sign-delivery.ts';
import type { PreparedDelivery } from './prepare-deliveries.ts';

/** The shortest time limit of an attempt, however fast the test clock runs: a receiver needs a moment. */
export const postWaits = { leastMs: 1_000 };

const userAgent = `${brand.product}-Webhooks/1`;
const timeoutError = `timeout after ${limits.webhookTimeoutMs / 1_000} s`;

/** A body to post now, and the keys that sign it. */
interface SignedBody extends PreparedDelivery {
  keys: SigningKeys;
  at: Date;
}

/** Starts the post of a delivery, as a span of which its receiver gets the `traceparent`. */
export function postEvent(deps: Deps, delivery: ClaimedDelivery, signed: SignedBody): Post {
  const { tracing } = deps;
  // A request to post it waits for that, and is the cause then.
  const parent = tracing.current() ?? signed.cause;
  let post: Post | null = null;
  const outcome = tracing.trace('POST', { kind: 'client', parent }, async (span) => {
    span.add(describe(delivery, signed));
    post = deps.egress.post(createRequest(deps, delivery, signed));
    const posted = await post.outcome;
    span.add({ 'http.response.status_code': posted.status });
    if (!isTaken(posted)) span.fail(posted.status === null ? 'no_response' : String(posted.status));
    return posted;
  });
  return { outcome, abort: (error) => post?.abort(error) };
}

function createRequest(deps: Deps, delivery: ClaimedDelivery, { url, keys, kind, body, at }: SignedBody) {
  const traceparent = deps.tracing.current();
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signDelivery(keys, { eventId: delivery.event_id, kind, body, at }),
      ...(traceparent !== null && { traceparent }),
    },
    body,
    timeoutMs: Math.max(deps.timeScale.scaleMs(limits.webhookTimeoutMs), postWaits.leastMs),
    timeoutError,
    answerBytesMax: limits.webhookAnswerBytesMax,
  };
}

/** Returns whether the receiver has taken the event. */
export function isTaken({ status, error }: PostOutcome): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

/** The path and the query of a URL may have a secret of the receiver, so its span has the host alone. */
function describe(delivery: ClaimedDelivery, { url, kind }: SignedBody): SpanAttributes {
  const parsed = URL.parse(url);
  return {
    'http.request.method': 'POST',
    'http.request.resend_count': delivery.attempted || null,
    'url.scheme': parsed?.protocol.slice(0, -1) ?? null,
    'server.address': parsed?.hostname ?? null,
    'server.port': parsed ? Number(parsed.port) || defaultPorts[parsed.protocol] || null : null,
    [ownAttributes.workspace]: delivery.workspace_id,
    [ownAttributes.webhook]: delivery.webhook_id,
    [ownAttributes.event]: delivery.event_id,
    [ownAttributes.eventKind]: kind,
  };
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };
