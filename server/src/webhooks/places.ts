import type { ClaimedDelivery, Lane } from './claimed-delivery.ts';
import { laneOf } from './claimed-delivery.ts';

/** How many posts may be under way in a process, of all webhooks and of each: a batch of mail makes more than a hundred at once. */
const underwayMax = 2_048;
const roomMax = { fresh_max: 128, retry_max: 128, failing_max: 2 } as const;

/** What the database functions are told of it: how much there is, and what is taken. */
export interface Room {
  free: number;
  busy: Record<string, Partial<Record<Lane, number>>>;
  fresh_max: number;
  retry_max: number;
  failing_max: number;
}

/** The posts that are under way in this process, so that no webhook takes the places of the others. */
export interface Places {
  room(): Room;
  enter(delivery: ClaimedDelivery): void;
  /** Answers whether the lane of the webhook now has room for several more. */
  leave(delivery: ClaimedDelivery): boolean;
}

/** Makes the places of a process. */
export const createPlaces = (): Places => {
  const busy: Room['busy'] = {};
  let underway = 0;
  const change = (delivery: ClaimedDelivery, by: number): number => {
    underway += by;
    const taken = busy[delivery.webhook_id] ?? {};
    busy[delivery.webhook_id] = taken;
    const lane = laneOf(delivery);
    const count = (taken[lane] ?? 0) + by;
    taken[lane] = count;
    if (!taken.fresh && !taken.retry) delete busy[delivery.webhook_id];
    return count;
  };
  return {
    room: () => ({ free: Math.max(0, underwayMax - underway), busy, ...roomMax }),
    enter: (delivery) => void change(delivery, 1),
    leave: (delivery) => change(delivery, -1) <= roomMax[`${laneOf(delivery)}_max`] / 2,
  };
};
