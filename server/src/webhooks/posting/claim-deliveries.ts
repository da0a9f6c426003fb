import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { followers } from '../../events/event.entity.ts';
import { leaseEnd } from '../../lib/clock.ts';
import { type ClaimedDelivery, type ClaimedJson, readClaimed } from '../delivery.ts';
import { deliveryLease } from './post-delivery.ts';
import type { Room } from './post-slots.ts';

type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'timeScale'>;

/** The result of following the log once. */
export interface FannedOut {
  /** The number of events that were read. */
  lookedAt: number;
  /** Whether more events may follow. */
  more: boolean;
  /** The number of deliveries that were created without room to post them. */
  waiting: number;
  claimed: ClaimedDelivery[];
}

/**
 * Creates the deliveries of the next events, at most `most`, each once and in the transaction that moves the cursor of the log. Claims
 * those that there is room for. Does nothing while another process does it.
 */
export async function fanOutEvents(deps: ClaimDeps, room: Room, most: number): Promise<FannedOut> {
  const db = acrossWorkspaces(deps, 'one cursor follows the log of all workspaces');
  const [row] = await fanOut(
    { db },
    { order: withLease(deps, { ...room, most, follower: followers.webhooks }) },
  );
  const { looked_at = 0, seen = 0, waiting = 0, claimed = [] } = row?.result ?? {};
  const more = seen === most || seen > looked_at;
  return { lookedAt: looked_at, more, waiting, claimed: claimed.map(readClaimed) };
}

interface FanOutResult {
  looked_at: number;
  /** The events that were read, and whether the limit of one statement left some. */
  seen: number;
  waiting: number;
  claimed: ClaimedJson[];
}

const fanOut = prepared((db, { order }: { order: string }) =>
  sql<{ result: FanOutResult | null }>`select fan_out_events(${order}::jsonb) as result`.compile(db),
);

/** The deliveries that are due. */
export interface Due {
  claimed: ClaimedDelivery[];
  /** Whether more deliveries are due than there was room for. */
  crowded: boolean;
  /** Whether more may be due for which there is room. */
  more: boolean;
  /** The time at which the next delivery becomes due. */
  nextAt: Date | null;
}

/** Claims due deliveries, as many of each webhook as there is room for, so that none of them delays the others. */
export async function claimDeliveries(deps: ClaimDeps, room: Room): Promise<Due> {
  const db = acrossWorkspaces(deps, 'deliveries are due in all workspaces');
  const [row] = await claim({ db }, { order: withLease(deps, room) });
  const { claimed = [], crowded = false, more = false, next_at = null } = row?.result ?? {};
  const nextAt = next_at === null ? null : new Date(next_at);
  return { claimed: claimed.map(readClaimed), crowded, more, nextAt };
}

interface ClaimResult {
  claimed: ClaimedJson[];
  crowded: boolean;
  more: boolean;
  next_at: string | null;
}

const claim = prepared((db, { order }: { order: string }) =>
  sql<{ result: ClaimResult | null }>`select claim_deliveries(${order}::jsonb) as result`.compile(db),
);

function withLease(deps: ClaimDeps, order: object): string {
  const at = deps.clock.now();
  return JSON.stringify({ ...order, at, lease_end: leaseEnd(deps, deliveryLease, at) });
}
