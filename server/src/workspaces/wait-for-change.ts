import { limits } from '@postrider/contract';
import { type Context, credentialOf } from '../context.ts';
import { paceWakeups } from '../db/paced-wakeups.ts';
import type { WakeupTopic } from '../db/wakeups.ts';
import { ApiError, unavailable } from '../lib/api-error.ts';
import { createFairLimiter } from '../lib/concurrency/fair-limiter.ts';
import { restMsAfter } from '../lib/concurrency/rest.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { perServer } from '../lib/per-server.ts';
import { type Ending, findEnded } from './find-ended.ts';
import { type Slots, takeSlot } from './take-slot.ts';

/** A hundred requests of one key that are woken together share one check whether the key is still valid. */
const keyChecksOf = perServer(() => createSingleFlight<Ending | null>());

/** How the waiting requests of a workspace share the time for their looks. */
export const lookLimits: {
  /** How many waiting requests of a workspace look at the same time. */
  atOnceMax: number;
  /** How long each rests afterwards, as a share of the time that its look took. */
  restShare: number;
  restMsMax: number;
  /** The longest time for which a missed wake-up can hide a change. */
  againMs: number;
} = { atOnceMax: 1, restShare: 1, restMsMax: 250, againMs: 5_000 };

/** Without it, a hundred requests that one mail wakes would take the database and the processor from all other work. */
const lookLimiterOf = perServer(() =>
  createFairLimiter({
    atOnceMax: () => Number.POSITIVE_INFINITY,
    atOnceOf: () => lookLimits.atOnceMax,
    rest: (tookMs) => wait(restMsAfter(tookMs, { share: lookLimits.restShare, msMax: lookLimits.restMsMax })),
  }),
);

/** The number of requests of each workspace that wait in this process. */
export const waitingRequestsOf = perServer(() => new Map<string, number>());

/** The result of a look, and whether the request waits for that. */
interface Seen<T> {
  result: T;
  found: boolean;
  /** When it should look again at the latest, if that is sooner than usual. */
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
  // Only a request that really has to wait takes a slot.
  let leave: (() => void) | null = null;
  const ended = AbortSignal.any([ctx.stopping, clientGone]);
  const wakeups = paceWakeups(ctx.wakeups, ctx.workspaceId, topic);
  try {
    let seen = await look();
    for (;;) {
      const leftMs = until - performance.now();
      if (seen.found || leftMs <= 0 || ended.aborted) return seen.result;
      leave ??= takeSlot(waitingSlots(ctx), ctx.workspaceId);
      await wakeups.next(Math.min(leftMs, seen.againMs ?? lookLimits.againMs, untilExpiryMs(ctx)), ended);
      await requireSameKey(ctx);
      seen = await lookInTurn(ctx, until, ended, look, seen);
    }
  } finally {
    wakeups.stop();
    leave?.();
  }
}

function waitingSlots(ctx: Context): Slots {
  return {
    taken: waitingRequestsOf(ctx),
    limit: limits.waitingRequestsPerWorkspaceMax,
    remedy:
      'As many requests of this workspace wait as may at once. Let one of them end first, ask without `wait_seconds`, or follow all events by one request or socket.',
  };
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
  const msMax = () => Math.max(0, untilMs - performance.now());
  try {
    if (ended.aborted) return before;
    return await lookLimiterOf(ctx).run(ctx.workspaceId, look, { msMax, error: () => isOver, ended });
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
  const ending = await keyChecksOf(ctx)(
    JSON.stringify(holder),
    async () => (await findEnded(ctx, [holder])).get(holder) ?? null,
  );
  if (ending === 'changed') throw unavailable();
  if (ending) throw new ApiError(ctx.actor.kind === 'person' ? 'not_signed_in' : 'invalid_token');
}
