import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import type { Deps } from '../../deps.ts';
import type { PostOutcome } from '../../egress/egress.ts';
import { beginningPostSlots, postedBodySlots } from '../../lib/admission/server-limits.ts';
import { Slots } from '../../lib/admission/slots.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { perServer } from '../../lib/memory.ts';
import { serializeEvents } from '../../messages/render-events.ts';
import type { ClaimedDelivery } from '../delivery.ts';
import { isTaken, postEvent, postWaits } from './post-event.ts';
import { type PreparedDelivery, prepareDeliveries } from './prepare-deliveries.ts';
import { type AttemptResult, giveBack, nextAttemptAt, recordAttempt } from './record-attempt.ts';
import { type WebhookWatch, watchWebhookState } from './watch-webhook-state.ts';

/** The lease of a delivery lasts longer than its attempt, by the time that it takes to begin and to record it. */
const besideAttempt = { ms: 20_000, leastMs: 4_000 };
export const deliveryLease = {
  ms: limits.webhookTimeoutMs + besideAttempt.ms,
  leastMs: postWaits.leastMs + besideAttempt.leastMs,
};
const recordAgainMs = 1_000;
const recordTriesMax = 60;

/** The options for making posts and ending them early. */
export interface PostOptions {
  /** `serializeEventsOnce` for first attempts, which may be that old. By default events are rendered as they are now. */
  render?: typeof serializeEvents;
  /** Aborted when the process has no more time. Attempts under way are given back, as if they had not begun. */
  cut?: AbortSignal;
  /** Called once for each delivery when its receiver is done with it, before the result is recorded. */
  onOver?(delivery: ClaimedDelivery): void;
  /** Called with the time of the next attempt, once that is recorded. */
  onRetry?(at: Date): void;
}

/** Makes one attempt for each of the claimed deliveries of a workspace and records the results. Resolves when all are done. */
export async function postDeliveries(
  deps: Deps,
  workspaceId: string,
  deliveries: ClaimedDelivery[],
  { render = serializeEvents, cut, onOver, onRetry }: PostOptions = {},
): Promise<void> {
  const bodies = bodySlots(deps);
  // Watching begins before the webhooks are read, so that no end of one is missed.
  const watches = new Map(deliveries.map((delivery) => [delivery, watchWebhookState(deps, delivery, cut)]));
  const end = (delivery: ClaimedDelivery, watch: WebhookWatch) => {
    watch.stop();
    watches.delete(delivery);
    onOver?.(delivery);
  };
  const postOne = async (delivery: ClaimedDelivery, prepared: PreparedDelivery | null | 'no room') => {
    const watch = watches.get(delivery) as WebhookWatch;
    try {
      const attempted =
        prepared === 'no room'
          ? Promise.resolve(unattempted(delivery))
          : prepared
            ? attempt(deps, delivery, prepared, watch)
            : Promise.resolve('failed' as const);
      const outcome = await attempted.finally(() => end(delivery, watch));
      const nextAt = await note(deps, delivery, outcome);
      if (nextAt) onRetry?.(nextAt);
    } catch (error) {
      deps.log.error(
        { err: error, deliveryId: delivery.id },
        'a delivery was not attempted, or its result was not recorded',
      );
    }
  };
  const parts: Promise<unknown>[] = [];
  try {
    for (let rest = deliveries; rest.length > 0; ) {
      // Their leases would expire if they waited longer.
      if (!(await waitForRoom(bodies, workspaceId, cut))) {
        parts.push(...rest.map((delivery) => postOne(delivery, 'no room')));
        break;
      }
      const { prepared, bytes, ...behind } = await prepareDeliveries(deps, workspaceId, rest, render);
      const release = bodies.hold(workspaceId, bytes);
      const posted = [...prepared].map(([delivery, what]) => postOne(delivery, what));
      parts.push(Promise.all(posted).then(release));
      rest = behind.rest;
    }
  } catch (error) {
    deps.log.error({ err: error, workspaceId }, 'deliveries were not prepared');
  } finally {
    await Promise.all(parts);
    for (const [delivery, watch] of watches) end(delivery, watch);
  }
}

/** Bodies that wait for receivers which hang must not fill the memory. */
const bodySlots = perServer(() => new Slots(postedBodySlots));

/** Resolves once the workspace may have more bodies, or with false if that takes too long or `cut` is aborted. */
async function waitForRoom(bodies: Slots, workspaceId: string, cut?: AbortSignal): Promise<boolean> {
  const waited = bodies.take(workspaceId, 0, cut ? { ended: cut } : {});
  return waited.then(
    (release) => {
      release();
      return true;
    },
    () => false,
  );
}

/** Others are served while a thousand posts begin. */
const beginningSlots = perServer(() => new Slots(beginningPostSlots));

/** A sample is attempted by its own request, or not at all. */
function unattempted({ origin }: ClaimedDelivery): 'failed' | 'pending' {
  return origin === 'sample' ? 'failed' : 'pending';
}

/** The result to record: an attempt, a delivery that is pending again or cancelled, or nothing. */
type Outcome = AttemptResult | 'pending' | 'failed' | null;

async function attempt(
  deps: Deps,
  delivery: ClaimedDelivery,
  prepared: PreparedDelivery,
  watch: WebhookWatch,
): Promise<Outcome> {
  await watch.looking;
  await beginningSlots(deps).run(delivery.workspace_id, () => nextTurn());
  const at = deps.clock.now();
  const { keys } = prepared;
  if (!watch.ended && keys) watch.post = postEvent(deps, delivery, { ...prepared, keys, at });
  const posted = keys ? await watch.post?.outcome : unreadableSecret;
  if (watch.ended === 'cut') return unattempted(delivery);
  // The request that ended the webhook has cancelled its deliveries.
  return watch.ended || !posted ? null : attemptResult(deps, delivery, at, posted);
}

/** Returns the time of the next attempt. */
async function note(deps: Deps, delivery: ClaimedDelivery, outcome: Outcome): Promise<Date | null> {
  if (outcome === null) return null;
  if (typeof outcome === 'string') {
    await giveBack(deps, delivery, outcome);
    return null;
  }
  await recordSurely(deps, delivery, outcome);
  return outcome.nextAt;
}

const unreadableSecret: PostOutcome = {
  status: null,
  error: 'the signing secret cannot be read: rotate it',
  retryAfter: null,
  durationMs: 0,
};

function attemptResult(deps: Deps, delivery: ClaimedDelivery, at: Date, posted: PostOutcome): AttemptResult {
  const { status: status_code, error, retryAfter, durationMs: duration_ms } = posted;
  const attempt = { at: at.toISOString(), status_code, error, duration_ms };
  if (isTaken(posted)) return { attempt, status: 'succeeded', nextAt: null };
  const nextAt =
    delivery.origin === 'sample'
      ? null
      : nextAttemptAt({
          attempted: delivery.attempted + 1,
          endedAt: deps.clock.now(),
          retryAfter,
          timeScale: deps.timeScale,
          random: Math.random(),
        });
  return { attempt, status: nextAt ? 'pending' : 'failed', nextAt };
}

/** The receiver already has the event, so the result is recorded even if the database is unavailable for a moment. */
async function recordSurely(deps: Deps, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
  deps.metrics.webhookAttempts.inc({ outcome: result.status });
  for (let tries = 1; ; tries++) {
    try {
      return await recordAttempt(deps, delivery, result);
    } catch (error) {
      if (tries === recordTriesMax || deps.stopping.aborted) throw error;
      deps.log.warn(
        { err: error, deliveryId: delivery.id },
        'the result of an attempt was not recorded, trying again',
      );
      await wait(recordAgainMs, deps.stopping);
    }
  }
}
