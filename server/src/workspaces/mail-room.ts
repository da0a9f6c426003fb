/*
 * Whether a workspace has room for mail. What it stores is read with the look-up that each recipient needs anyway, and only where
 * the answer could have changed: what is left cannot be filled faster than all processes together take mail in. So mail costs
 * no query more, and several processes need not tell each other anything.
 */
import type { Plan } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Deps } from '../deps.ts';
import { createRecentMap, type RecentMap } from '../lib/recent-map.ts';
import { planLimits } from './plan.ts';

/** How long what is known holds, and of how many workspaces and addresses. */
export const mailRoomLimits: {
  knownForMsMax: number;
  fullForMs: number;
  workspacesMax: number;
  addressesMax: number;
} = { knownForMsMax: 10_000, fullForMs: 1_000, workspacesMax: 10_000, addressesMax: 50_000 };

/** More than all processes on one database take in. */
const bytesPerMs = 1_048_576;

interface Known {
  /** Workspaces by their addresses. */
  ownerOf: RecentMap<string>;
  /** What workspaces store, and until when that is known well enough. */
  useOf: RecentMap<{ bytes: number; untilMs: number }>;
}

const knownBy = new WeakMap<Db, Known>();

const knownOf = (db: Db): Known => {
  const known = knownBy.get(db) ?? {
    ownerOf: createRecentMap(mailRoomLimits.addressesMax),
    useOf: createRecentMap(mailRoomLimits.workspacesMax),
  };
  knownBy.set(db, known);
  return known;
};

/** An address whose workspace takes mail, and what that stores: null where it was known when the address was looked up. */
export interface MailboxUse {
  address: string;
  workspaceId: string;
  plan: Plan;
  mailBytes: number | null;
}

/** Those of the addresses with which it has to be read what their workspaces store, one for each workspace that is known. */
export const addressesToMeasure = ({ db }: { db: Db }, addresses: string[]): string[] => {
  const { ownerOf, useOf } = knownOf(db);
  const now = performance.now();
  const measured = new Set<string>();
  return addresses.filter((address) => {
    const owner = ownerOf.get(address);
    if (owner === undefined) return true;
    if (measured.has(owner) || now < (useOf.get(owner)?.untilMs ?? 0)) return false;
    measured.add(owner);
    return true;
  });
};

/** Whether the workspace of an address has room for mail; keeps what was read of it. */
export const hasMailRoom = (
  deps: Pick<Deps, 'db' | 'config'>,
  { address, workspaceId, plan, mailBytes }: MailboxUse,
): boolean => {
  const { ownerOf, useOf } = knownOf(deps.db);
  const { mail_bytes: limit } = planLimits({ plan, config: deps.config });
  if (ownerOf.get(address) !== workspaceId) ownerOf.set(address, workspaceId);
  if (mailBytes !== null)
    useOf.set(workspaceId, { bytes: mailBytes, untilMs: validUntil(limit - mailBytes) });
  return (useOf.get(workspaceId)?.bytes ?? 0) < limit;
};

const validUntil = (leftBytes: number): number => {
  const { knownForMsMax, fullForMs } = mailRoomLimits;
  return performance.now() + (leftBytes > 0 ? Math.min(knownForMsMax, leftBytes / bytesPerMs) : fullForMs);
};

/** How many bytes of mail the caller stores. */
export const readMailBytes = async (ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<number> => {
  const [row] = await selectMailBytes(ctx, { workspaceId: ctx.workspaceId });
  return Number(row?.bytes ?? 0);
};

const selectMailBytes = prepared((db, { workspaceId }: { workspaceId: string }) =>
  sql<{ bytes: number }>`select mail_bytes_of(${workspaceId}) as bytes`.compile(db),
);
