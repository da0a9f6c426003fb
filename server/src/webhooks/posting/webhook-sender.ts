/*
 * Sends events to webhooks. One loop follows the log and creates a delivery of each event for each webhook that wants it. Deliveries that
 * there is room for are posted at once. Another loop claims due deliveries from the queue: retries, and those without room before. A
 * delivery that is being posted has a lease, so that another process takes it over if this one dies.
 */
import { setMaxListeners } from 'node:events';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { createDoorbell } from '../../lib/concurrency/doorbell.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { renderFrames, renderFramesOnce } from '../../messages/render/render-frames.ts';
import { claimDeliveries, type Due, type FannedOut, fanOutEvents } from './claim-deliveries.ts';
import { type ClaimedDelivery, laneOf } from './claimed-delivery.ts';
import { createPlaces, type Places } from './places.ts';
import { postDeliveries } from './post-delivery.ts';

const lookAgainMs = 1_000;
const lookAgainLeastMs = 5;
const restMsMax = 100;
const roomWaitMsMax = 50;
const roomLookMs = 5;
const eventsAtOnceLeast = 64;
/** Posts that are cut are repeated, so a process that stops does not wait for slow receivers. */
const graceMsMax = 2_000;
const giveBackMs = 500;

/** Starts sending events to webhooks, which any number of processes may do. Returns a function that stops it. */
export const startWebhookSender = (deps: Deps): ((graceMs: number) => Promise<void>) => {
  const places = createPlaces();
  const [log, queue] = [createDoorbell(), createDoorbell()];
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);
  const state = { stopped: false, crowded: false };
  const underway = new Set<Promise<void>>();
  const onOver = (delivery: ClaimedDelivery) => {
    if (places.leave(delivery) && state.crowded) queue.ring();
  };
  const onRetry = (at: Date) => {
    if (untilMs(deps, at) < lookAgainMs) queue.ring();
  };
  const postRendered = (claimed: ClaimedDelivery[], render: typeof renderFrames) => {
    const options = { render, cut: cut.signal, onOver, onRetry };
    for (const [workspaceId, group] of Map.groupBy(claimed, (delivery) => delivery.workspace_id)) {
      const work = postDeliveries(deps, workspaceId, group, options);
      const followed = work.finally(() => underway.delete(followed));
      underway.add(followed);
    }
  };
  const post = (claimed: ClaimedDelivery[]) => {
    for (const delivery of claimed) places.enter(delivery);
    const { fresh = [], retry = [] } = Object.groupBy(claimed, laneOf);
    postRendered(fresh, renderFramesOnce);
    postRendered(retry, renderFrames);
  };
  const follow = async () => {
    for (let lookedAt = 0; !state.stopped; ) {
      await untilRoom(places, Math.min(lookedAt, eventsAtOnceLeast), state);
      if (state.stopped) return;
      const { found: taken, rest } = await look(() => takeEvents(deps, places));
      lookedAt = taken.lookedAt;
      if (taken.waiting > 0) state.crowded = true;
      post(taken.claimed);
      if (!taken.more) await log.wait(lookAgainMs);
      await rest();
    }
  };
  const work = async () => {
    while (!state.stopped) {
      const { found, rest } = await look(() => takeDue(deps, places));
      const { claimed, crowded, more, nextAt } = found;
      state.crowded = crowded;
      post(claimed);
      if (!more) await queue.wait(untilMs(deps, nextAt));
      await rest();
    }
  };
  const unlisten = deps.wakeups.listenToAll(log.ring, 'log');
  const ended = Promise.all([follow(), work()]);
  return async (graceMs) => {
    state.stopped = true;
    unlisten();
    for (const bell of [log, queue]) bell.ring();
    await Promise.race([ended.then(() => Promise.all(underway)), wait(Math.min(graceMs, graceMsMax))]);
    cut.abort();
    await Promise.race([ended.then(() => Promise.all(underway)), wait(giveBackMs)]);
  };
};

/**
 * Looks for something to do. `rest` then waits as long as that took, up to `restMsMax`. So these queries take at most half of the
 * database's time, however many posts end and however many webhooks want each event.
 */
const look = async <T>(find: () => Promise<T>): Promise<{ found: T; rest(): Promise<unknown> }> => {
  const startedAt = performance.now();
  const found = await find();
  const tookMs = performance.now() - startedAt;
  return {
    found,
    rest: () => wait(Math.max(0, startedAt + tookMs + Math.min(tookMs, restMsMax) - performance.now())),
  };
};

/**
 * Waits a moment for room for as many events as there were last time, because claiming a delivery when it is created costs half as much
 * as queueing it.
 */
const untilRoom = async (places: Places, wanted: number, state: { stopped: boolean }): Promise<void> => {
  const until = performance.now() + roomWaitMsMax;
  while (!state.stopped && places.roomForEvents() < wanted && performance.now() < until)
    await wait(roomLookMs);
};

const nothing: FannedOut = { lookedAt: 0, more: false, waiting: 0, claimed: [] };

const takeEvents = async (deps: Deps, places: Places): Promise<FannedOut> => {
  try {
    return await fanOutEvents(deps, places.room(), Math.max(eventsAtOnceLeast, places.roomForEvents()));
  } catch (error) {
    deps.log.error({ err: error }, 'events were not taken for webhooks');
    return nothing;
  }
};

const takeDue = (deps: Deps, places: Places): Promise<Due> =>
  claimDeliveries(deps, places.room()).catch((error: unknown) => {
    deps.log.error({ err: error }, 'due deliveries were not claimed');
    return { claimed: [], crowded: false, more: false, nextAt: null };
  });

const untilMs = (deps: Deps, nextAt: Date | null): number => {
  const leftMs = nextAt ? nextAt.getTime() - deps.clock.now().getTime() : lookAgainMs;
  return Math.max(lookAgainLeastMs, Math.min(leftMs, lookAgainMs));
};

/** Ends the leases of a process that died. It is for the embedded database only, before this process takes any. */
export const releaseDeliveries = async (deps: Deps): Promise<void> => {
  await acrossWorkspaces(deps, 'at the start nobody holds a lease')
    .updateTable('webhook_deliveries')
    .set((delivery) => ({ due_at: delivery.ref('next_at') }))
    .whereRef('due_at', '>', 'next_at')
    .execute();
};
