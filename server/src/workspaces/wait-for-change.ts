import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { paceWakeups } from '../db/paced-wakeups.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { WakeupTopic } from '../db/wakeups.ts';
import { ApiError } from '../lib/api-error.ts';
import { createFairTurns } from '../lib/concurrency/fair-turns.ts';
import { createSharedCalls } from '../lib/concurrency/share-calls.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { type Places, takePlace } from './take-place.ts';

/** How long a missed wake-up can hide a change. */
const lookAgainMs = 5_000;
/** A hundred requests of one key that are woken together ask once whether it is still good. */
const shareKeyCheck = createSharedCalls<boolean>();

/** How waiting requests of a workspace share the time for their looks. */
export const lookLimits: {
  /** How many of a workspace's waiting requests look again at one time. */
  atOnceMax: number;
  /** How long each then rests, as a share of how long its look took. */
  restShare: number;
} = { atOnceMax: 1, restShare: 1 };

/** A hundred requests that one mail wakes would otherwise take the database and the processor from everybody. */
const lookTurns = createFairTurns({
  atOnceMax: () => Number.POSITIVE_INFINITY,
  atOnceOf: () => lookLimits.atOnceMax,
  rest: (tookMs) => wait(tookMs * lookLimits.restShare),
});

/** What a look found, and whether that is what the request waits for. */
interface Seen<T> {
  result: T;
  found: boolean;
}

/**
 * Calls `look` until it finds something, for at most `waitSeconds`, and returns what the last look found. Between looks no
 * connection is held. A look follows the wake-ups of the workspace, paced where they are many; the waiting requests of a workspace
 * look again one at a time. Ends at once when the server stops or when the client is gone, and with the next look when the key is
 * revoked, which is a wake-up too.
 *
 * @throws ApiError `limit_reached` when too many requests of the workspace wait, `invalid_token` once the key is revoked.
 */
export const waitForChange = async <T>(
  ctx: Context,
  waitSeconds: number,
  clientGone: AbortSignal,
  look: () => Promise<Seen<T>>,
  topic: WakeupTopic = 'rows',
): Promise<T> => {
  const until = performance.now() + waitSeconds * 1_000;
  // Only who really has to wait takes one of the places.
  let leave: (() => void) | null = null;
  const ended = AbortSignal.any([ctx.stopping, clientGone]);
  const wakeups = paceWakeups(ctx.wakeups, ctx.workspaceId, topic);
  try {
    let seen = await look();
    for (;;) {
      const leftMs = until - performance.now();
      if (seen.found || leftMs <= 0 || ended.aborted) return seen.result;
      leave ??= takePlace(waitingPlaces(ctx), ctx.workspaceId);
      await wakeups.next(Math.min(leftMs, lookAgainMs), ended);
      await requireLiveKey(ctx);
      seen = await lookInTurn(ctx, until, ended, look, seen);
    }
  } finally {
    wakeups.stop();
    leave?.();
  }
};

const waitingPlaces = ({ waitingRequests }: Context): Places => ({
  taken: waitingRequests,
  limit: limits.waitingRequestsPerWorkspaceMax,
  remedy:
    'As many requests of this workspace wait as may at once. Let one of them end first, ask without `wait_seconds`, or follow all events by one request or socket.',
});

/** What a look finds once it is its turn; what was seen before where the time is over by then. */
const lookInTurn = async <T>(
  ctx: Context,
  untilMs: number,
  ended: AbortSignal,
  look: () => Promise<Seen<T>>,
  before: Seen<T>,
): Promise<Seen<T>> => {
  const isOver = new Error('The time is over.');
  const msMax = () => Math.max(0, untilMs - performance.now());
  try {
    if (ended.aborted) return before;
    return await lookTurns.run(ctx.workspaceId, look, { msMax, error: () => isOver, ended });
  } catch (error) {
    if (error === isOver) return before;
    throw error;
  }
};

const requireLiveKey = async (ctx: Context): Promise<void> => {
  const live = await shareKeyCheck(ctx.apiKeyId ?? '', () => isLiveKey(ctx));
  if (!live) throw new ApiError('invalid_token');
};

const isLiveKey = async (ctx: Context): Promise<boolean> => {
  const live = await acrossWorkspaces(ctx, 'a key is global')
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', ctx.apiKeyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return live !== undefined;
};
