import { shareOfOpenFiles } from '../../lib/start/listen.ts';
import { type ClaimedDelivery, deliveryLane, type Lane } from '../delivery.ts';

/** The posts that may be under way in a process, each with a descriptor, and the share of the free ones that one workspace may take. */
export const postLimits = { underwayMax: Math.min(2_048, shareOfOpenFiles(1 / 8)), workspaceShare: 0.5 };
/** The posts of one webhook: a batch of mail causes more than a hundred at once. */
const roomMax = { fresh_max: 128, retry_max: 128, failing_max: 2 } as const;
/**
 * The approximate number of deliveries that one statement creates or claims: posting them takes this process as long as the statement took
 * the database.
 */
export const claimLimits = { deliveriesMax: 128 };

/** The slots in the form that the database functions take: how many there are, and how many are taken. */
export interface Room {
  free: number;
  busy: Record<string, Partial<Record<Lane, number>>>;
  fresh_max: number;
  retry_max: number;
  failing_max: number;
  deliveries_max: number;
  workspace_share: number;
  busy_workspaces: Record<string, number>;
}

/** The posts under way in this process. Limiting them keeps a webhook or a workspace from taking the slots of others. */
export interface PostSlots {
  room(): Room;
  enter(delivery: ClaimedDelivery): void;
  /** Returns whether the lane of the webhook now has room for several more. */
  leave(delivery: ClaimedDelivery): boolean;
  /** Returns for how many events every webhook that is not slow has room. For more of them, there will be room in a moment. */
  roomForEvents(): number;
}

/** A webhook is slow once its first attempts have taken more than half of its room for this long. Others do not wait for it. */
const slowAfterMs = 250;
const crowdedFrom = roomMax.fresh_max / 2;

/** Creates the slots of a process. */
export function createPostSlots(): PostSlots {
  const busy: Room['busy'] = {};
  const workspaces: Room['busy_workspaces'] = {};
  /** For each busy webhook, when it became busy or last had half of its room for first attempts. */
  const lastRoomy = new Map<string, number>();
  let underway = 0;
  const change = (delivery: ClaimedDelivery, by: number): number => {
    underway += by;
    const ofWorkspace = (workspaces[delivery.workspace_id] ?? 0) + by;
    if (ofWorkspace > 0) workspaces[delivery.workspace_id] = ofWorkspace;
    else delete workspaces[delivery.workspace_id];
    const taken = busy[delivery.webhook_id] ?? {};
    busy[delivery.webhook_id] = taken;
    const lane = deliveryLane(delivery);
    const count = (taken[lane] ?? 0) + by;
    taken[lane] = count;
    if (taken.fresh || taken.retry) return count;
    delete busy[delivery.webhook_id];
    lastRoomy.delete(delivery.webhook_id);
    return count;
  };
  return {
    room: () => ({
      free: Math.max(0, postLimits.underwayMax - underway),
      busy,
      ...roomMax,
      deliveries_max: claimLimits.deliveriesMax,
      workspace_share: Math.min(1, postLimits.workspaceShare),
      busy_workspaces: workspaces,
    }),
    enter: (delivery) => {
      if (!lastRoomy.has(delivery.webhook_id)) lastRoomy.set(delivery.webhook_id, performance.now());
      change(delivery, 1);
    },
    leave: (delivery) => {
      const count = change(delivery, -1);
      if (lastRoomy.has(delivery.webhook_id) && (busy[delivery.webhook_id]?.fresh ?? 0) <= crowdedFrom)
        lastRoomy.set(delivery.webhook_id, performance.now());
      return count <= roomMax[`${deliveryLane(delivery)}_max`] / 2;
    },
    roomForEvents: () => {
      const since = performance.now() - slowAfterMs;
      const taken = [...lastRoomy].filter(([, at]) => at > since).map(([id]) => busy[id]?.fresh ?? 0);
      return roomMax.fresh_max - Math.max(0, ...taken);
    },
  };
}
