/* Programs that follow the event log in the ways that the API offers, each across random breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';

/** A follower of the event log, with the events that it has. */
export interface EventFollower {
  kind: 'socket' | 'follower';
  name: string;
  /** The ids of the events that it processed, in the order in which it did. */
  ids: string[];
  /** How often it continued after a break. */
  breaks: number;
  stop(): Promise<void>;
}

/** Describes where to follow, from which event on, and how well. */
export interface FollowPlan {
  name: string;
  /** Called for each connection or request, because a restarted server listens elsewhere. */
  server(): ServerProcess;
  key: string;
  from: string;
  random(): number;
  /** Whether it follows in a way that loses events: a socket resumes without `after`; a follower takes ids for the order of the log. */
  isBad: boolean;
}

const eventsBetweenDropsMax = 400;
const msBetweenDropsMax = 4_000;
const retryMs = 100;
const lookMs = 5;

/** Starts a socket that drops at random and resumes after the last event that it has. */
export function followBySocket(plan: FollowPlan): EventFollower {
  const follower = begin('socket', plan.name);
  const run = async () => {
    while (!follower.stopped.aborted) {
      const after = follower.ids.at(-1) ?? plan.from;
      const client = await openRealtime(plan.server().url, plan.key, {
        query: plan.isBad && follower.breaks > 0 ? {} : { after },
      }).catch(() => null);
      if (client) {
        const events = Math.ceil(plan.random() * eventsBetweenDropsMax);
        const until = performance.now() + plan.random() * msBetweenDropsMax;
        const isOpen = () => client.socket.readyState === client.socket.OPEN;
        while (isOpen() && client.events.length < events && performance.now() < until) await sleep(lookMs);
        // Events that arrive from here on are lost, as in a program that ends.
        follower.ids.push(...client.events.map(({ id }) => id));
        client.socket.terminate();
      } else await sleep(retryMs);
      follower.breaks += 1;
    }
  };
  return finish(follower, run());
}

/** Starts a reader of `GET /events` that keeps its cursor and asks again whatever happens. */
export function followByRequests(plan: FollowPlan): EventFollower {
  const follower = begin('follower', plan.name);
  const run = async () => {
    let after = plan.from;
    let newest = '';
    while (!follower.stopped.aborted) {
      const limit = Math.ceil(plan.random() * 100);
      const request = plan.server().client.events.list({ after, limit, wait_seconds: 2 });
      const page = await Promise.resolve(request).catch(() => null);
      if (!page) {
        follower.breaks += 1;
        await sleep(retryMs);
        continue;
      }
      const ids = page.events.map(({ id }) => id);
      follower.ids.push(...(plan.isBad ? ids.filter((id) => id > newest) : ids));
      for (const id of ids) if (id > newest) newest = id;
      after = page.next_cursor ?? after;
    }
  };
  return finish(follower, run());
}

function begin(kind: EventFollower['kind'], name: string) {
  const stop = new AbortController();
  return { kind, name, ids: [] as string[], breaks: 0, stopped: stop.signal, end: () => stop.abort() };
}

function finish(follower: ReturnType<typeof begin>, ended: Promise<void>): EventFollower {
  return Object.assign(follower, {
    stop: () => {
      follower.end();
      return ended;
    },
  });
}
