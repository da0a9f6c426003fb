/*
 * Sends events to webhooks. One loop follows the log and creates a delivery of each event for each webhook that wants it. Deliveries that
 * there is room for are posted at once. Another loop claims due deliveries from the queue: retries, and those without room before. A
 * delivery that is being posted has a lease, so that another process takes it over if this one dies.
 */
import { setMaxListeners } from 'node:events';
import type { Deps } from '../../deps.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { serializeEvents, serializeEventsOnce } from '../../messages/render-events.ts';
import { type ClaimedDelivery, deliveryLane } from '../delivery.ts';
import { claimDeliveries, fanOutEvents } from './claim-deliveries.ts';
import { type PostOptions, postDeliveries } from './post-delivery.ts';
import { createPostSlots, type PostSlots } from './post-slots.ts';

const restMsMax = 100;
const roomWaitMsMax = 50;
const roomLookMs = 5;
const eventsAtOnceLeast = 64;
/** Posts that are cut are repeated, so a process that stops does not wait for slow receivers. */
const graceMsMax = 2_000;
const giveBackMs = 500;

/** Starts sending events to webhooks, which any number of processes may do. Returns a function that stops it. */
export function startWebhookSender(deps: Deps): (graceMs: number) => Promise<void> {
  const slots = createPostSlots();
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);
  let crowded = false;
  const underway = new Set<Promise<void>>();
  const post = createPoster(deps, {
    slots,
    cut: cut.signal,
    underway,
    onOver: (delivery) => {
      if (slots.leave(delivery) && crowded) queue.wake();
    },
    onRetry: (at) => {
      if (untilMs(deps, at) < deps.lookAgainMs) queue.wake();
    },
  });
  let [lookedAt, fanOutMs] = [0, 0];
  const log = startLoop({
    look: async (stopped) => {
      await untilRoom(slots, Math.min(lookedAt, eventsAtOnceLeast), stopped);
      if (stopped.aborted) return 0;
      const eventsMax = Math.max(eventsAtOnceLeast, slots.roomForEvents());
      const startedAt = performance.now();
      const taken = await fanOutEvents(deps, slots.room(), eventsMax);
      fanOutMs = performance.now() - startedAt;
      lookedAt = taken.lookedAt;
      if (taken.waiting > 0) crowded = true;
      post(taken.claimed);
      return taken.more ? 0 : nothingDue;
    },
    onError: (error) => deps.log.error({ err: error }, 'events were not read for webhooks'),
    lookAgainMs: deps.lookAgainMs,
    periodMs: (tookMs) => tookMs + restMs(fanOutMs),
  });
  const queue = startLoop({
    look: async () => {
      const due = await claimDeliveries(deps, slots.room());
      crowded = due.crowded;
      post(due.claimed);
      return due.more ? 0 : untilMs(deps, due.nextAt);
    },
    onError: (error) => deps.log.error({ err: error }, 'due deliveries were not claimed'),
    lookAgainMs: deps.lookAgainMs,
    periodMs: (tookMs) => tookMs + restMs(tookMs),
  });
  const unlisten = [
    deps.wakeups.listen('', log.wake, 'log'),
    deps.wakeups.listenToAll(queue.wake, 'webhooks'),
  ];
  return async (graceMs) => {
    for (const stop of unlisten) stop();
    const ended = Promise.all([log.stop(), queue.stop()]).then(() => Promise.all(underway));
    await Promise.race([ended, wait(Math.min(graceMs, graceMsMax))]);
    cut.abort();
    await Promise.race([ended, wait(giveBackMs)]);
  };
}

interface Posting extends Pick<PostOptions, 'cut' | 'onOver' | 'onRetry'> {
  slots: PostSlots;
  underway: Set<Promise<void>>;
}

/** Returns a function that posts claimed deliveries, each in its place. */
function createPoster(deps: Deps, { slots, underway, ...options }: Posting) {
  const postRendered = (claimed: ClaimedDelivery[], render: typeof serializeEvents) => {
    for (const [workspaceId, group] of Map.groupBy(claimed, (delivery) => delivery.workspace_id)) {
      const work = postDeliveries(deps, workspaceId, group, { ...options, render });
      const followed = work.finally(() => underway.delete(followed));
      underway.add(followed);
    }
  };
  return (claimed: ClaimedDelivery[]): void => {
    for (const delivery of claimed) slots.enter(delivery);
    const { fresh = [], retry = [] } = Object.groupBy(claimed, deliveryLane);
    postRendered(fresh, serializeEventsOnce);
    postRendered(retry, serializeEvents);
  };
}

/** As long as the query took, so that these queries take at most half of the database's time, however many posts end. */
function restMs(queryMs: number): number {
  return Math.min(queryMs, restMsMax);
}

/**
 * Waits a moment for room for as many events as there were last time, because claiming a delivery when it is created costs half as much
 * as queueing it.
 */
async function untilRoom(slots: PostSlots, wanted: number, stopped: AbortSignal): Promise<void> {
  const until = performance.now() + roomWaitMsMax;
  while (!stopped.aborted && slots.roomForEvents() < wanted && performance.now() < until)
    await wait(roomLookMs);
}

function untilMs(deps: Deps, nextAt: Date | null): number {
  // Deliveries that are due already had no room, and are claimed once there is some.
  return nextAt ? Math.max(1, nextAt.getTime() - deps.clock.now().getTime()) : nothingDue;
}
