/* Programs that follow the event log in the ways that the API has, each over breaks that it did not choose. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openRealtime } from '../../server/test/harness/realtime-client.ts';
import type { ServerProcess } from '../../server/test/harness/server-process.ts';

/** What a follower has of the log. */
export interface EventFollower {
  kind: 'socket' | 'follower';
  name: string;
  /** The events that it dealt with, in the order in which it did. */
  ids: string[];
  /** How often it had to go on after a break. */
  breaks: number;
  stop(): Promise<void>;
}

/** Where to follow, from which event on, and how well. */
export interface FollowPlan {
  name: string;
  /** Asked each time, since a server that was started again listens elsewhere. */
  server(): ServerProcess;
  key: string;
  from: string;
  random(): number;
  /** Follows in a way that loses events: a socket resumes without `after`; a follower takes ids for the order of the log. */
  isBad: boolean;
}

const eventsBetweenDropsMax = 400;
const msBetweenDropsMax = 4_000;
const retryMs = 100;
const lookMs = 5;

/** A socket that drops at random and resumes behind the last event that it has. */
export const followBySocket = (plan: FollowPlan): EventFollower => {
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
        // Of what comes from here on nothing is dealt with, as in a program that ends.
        follower.ids.push(...client.events.map(({ id }) => id));
        client.socket.terminate();
      } else await sleep(retryMs);
      follower.breaks += 1;
    }
  };
  return finish(follower, run());
};

/** A reader of `GET /events` that keeps its cursor and asks again whatever happens. */
export const followByRequests = (plan: FollowPlan): EventFollower => {
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
};

const begin = (kind: EventFollower['kind'], name: string) => {
  const stop = new AbortController();
  return { kind, name, ids: [] as string[], breaks: 0, stopped: stop.signal, end: () => stop.abort() };
};

const finish = (follower: ReturnType<typeof begin>, ended: Promise<void>): EventFollower =>
  Object.assign(follower, {
    stop: () => {
      follower.end();
      return ended;
    },
  });
