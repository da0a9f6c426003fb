import { type Context, credentialOf } from '../context.ts';
import type { Wakeups, WakeupTopic } from '../db/wakeups.ts';
import { type Ending, findEnded } from '../keys/authenticate.ts';
import { waitingLookSlots, waitingRequestSlots } from '../lib/admission/server-limits.ts';
import { type Release, Slots } from '../lib/admission/slots.ts';
import { ApiError, unavailable } from '../lib/api-error.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { perServer } from '../lib/memory.ts';

/** A hundred requests of one key that are woken together share one check whether the key is still valid. */
const keyChecks = perServer(() => createSingleFlight<Ending | null>());

/** Without it, a hundred requests that one mail wakes would take the database and the processor from all other work. */
const lookSlots = perServer(() => new Slots(waitingLookSlots));

const waitingRemedy =
  'This workspace has too many waiting requests. Let one of them end first, send the request without `wait_seconds`, or follow ' +
  'all events with one request or socket.';

/** The requests of each workspace that wait in this process. */
export const waitingRequests = perServer(
  () =>
    new Slots(waitingRequestSlots, {
      refusal: () =>
        new ApiError('limit_reached', { limit: waitingRequestSlots.ofOwner }, { message: waitingRemedy }),
    }),
);

/** The result of a look, and whether the request waits for that. */
interface Seen<T> {
  result: T;
  found: boolean;
  /** The latest time for the next look, if that is sooner than usual. */
  againMs?: number;
}

/**
 * Calls `look` until it finds something, for at most `waitSeconds`, and returns the result of the last look. Between looks no connection is
 * held. Each wake-up of the workspace leads to a look, at a limited rate. The waiting requests of a workspace look one at a time. Ends at
 * once if the server stops or the client is gone. A change of a key is a wake-up too, and ends it at the next look.
 *
 * @throws ApiError `limit_reached` if too many requests of the workspace wait, `invalid_token` once the key is revoked or has expired,
 * `unavailable` once people gave the key other inboxes, so that the client asks again.
 */
export async function waitForChange<T>(
  ctx: Context,
  waitSeconds: number,
  clientGone: AbortSignal,
  look: () => Promise<Seen<T>>,
  topic: WakeupTopic = 'rows',
): Promise<T> {
  const until = performance.now() + waitSeconds * 1_000;
  // Only a request that must really wait takes a slot.
  let leave: Release | null = null;
  const ended = AbortSignal.any([ctx.stopping, clientGone]);
  const wakeups = paceWakeups(ctx.wakeups, ctx.workspaceId, topic);
  try {
    let seen = await look();
    for (;;) {
      const leftMs = until - performance.now();
      if (seen.found || leftMs <= 0 || ended.aborted) return seen.result;
      leave ??= waitingRequests(ctx).takeNow(ctx.workspaceId);
      await wakeups.next(Math.min(leftMs, seen.againMs ?? ctx.lookAgainMs, untilExpiryMs(ctx)), ended);
      await requireSameKey(ctx);
      seen = await lookInTurn(ctx, until, ended, look, seen);
    }
  } finally {
    wakeups.stop();
    leave?.();
  }
}

/** Returns the result of a look once it is its turn, or the previous result if the time is over by then. */
async function lookInTurn<T>(
  ctx: Context,
  untilMs: number,
  ended: AbortSignal,
  look: () => Promise<Seen<T>>,
  before: Seen<T>,
): Promise<Seen<T>> {
  const isOver = new Error('The time is over.');
  const waitMs = Math.max(0, untilMs - performance.now());
  try {
    if (ended.aborted) return before;
    return await lookSlots(ctx).run(ctx.workspaceId, look, { waitMs, refusal: () => isOver, ended });
  } catch (error) {
    if (error === isOver) return before;
    throw error;
  }
}

/** Returns how long the key of the caller is still valid. */
export function untilExpiryMs({ scope: { expiresAt }, clock }: Pick<Context, 'scope' | 'clock'>): number {
  if (expiresAt === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, expiresAt.getTime() - clock.now().getTime());
}

async function requireSameKey(ctx: Context): Promise<void> {
  const holder = { id: credentialOf(ctx.actor) ?? '', inboxIds: ctx.scope.inboxIds };
  const ending = await keyChecks(ctx)(
    JSON.stringify(holder),
    async () => (await findEnded(ctx, [holder])).get(holder) ?? null,
  );
  if (ending === 'changed') throw unavailable();
  if (ending) throw new ApiError(ctx.actor.kind === 'person' ? 'not_signed_in' : 'invalid_token');
}

/** The pause between two reads while wake-ups come without one. */
export const paceLimits = { leastMs: 50, mostMs: 250 };
/** The reason of the abort. Without one, each wake-up would create an error with its stack. */
const wokenUp = 'woken up';

/** The wake-ups of one waiter, which reads again after each. */
export interface PacedWakeups {
  /**
   * Call after a read that found nothing. Resolves when it is time for the next one: at a wake-up since that read began, after `ms`, or
   * once `ended` is aborted.
   */
  next(ms: number, ended: AbortSignal): Promise<void>;
  stop(): void;
}

/**
 * Creates the wake-ups of a workspace for one waiter, from now on, including those for keys, because the waiter's own may have been
 * revoked. A lone wake-up is passed on at once. If many come for changes that the waiter does not wait for, there are 50 to 250 ms between
 * two reads. The last wake-up of a burst is always followed by a read.
 */
export function paceWakeups(
  wakeups: Pick<Wakeups, 'listen'>,
  workspaceId: string,
  topic: WakeupTopic = 'rows',
): PacedWakeups {
  let woken = new AbortController();
  let pauseMs = 0;
  const wake = () => woken.abort(wokenUp);
  const stops = [wakeups.listen(workspaceId, wake, topic), wakeups.listen(workspaceId, wake, 'keys')];
  return {
    async next(ms, ended) {
      const lookedAt = performance.now();
      await wait(ms, AbortSignal.any([woken.signal, ended]));
      const quietMs = performance.now() - lookedAt;
      if (quietMs >= paceLimits.mostMs) pauseMs = 0;
      const leftMs = Math.min(pauseMs, ms) - quietMs;
      if (leftMs > 0) await wait(leftMs, ended);
      pauseMs = Math.min(Math.max(pauseMs * 2, paceLimits.leastMs), paceLimits.mostMs);
      woken = new AbortController();
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
