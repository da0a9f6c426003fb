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

/** How long what is known holds, and for how many addresses. */
export const mailRoomLimits: { knownForMsMax: number; fullForMs: number; addressesMax: number } = {
  knownForMsMax: 10_000,
  fullForMs: 1_000,
  addressesMax: 50_000,
};

/** More than all processes on one database take in. */
const bytesPerMs = 1_048_576;

interface KnownUse {
  workspaceId: string;
  bytes: number;
  untilMs: number;
}

const knownBy = new WeakMap<Db, RecentMap<KnownUse>>();

/** An address whose workspace takes mail, and what that stores: null where it was known when the address was looked up. */
export interface MailboxUse {
  address: string;
  workspaceId: string;
  plan: Plan;
  mailBytes: number | null;
}

/** Whether it is known well enough what the workspace of an address stores. */
export const isMailUseKnown = ({ db }: { db: Db }, address: string): boolean =>
  performance.now() < (knownBy.get(db)?.get(address)?.untilMs ?? 0);

/** Whether the workspace of an address has room for mail; keeps what was read of it. */
export const hasMailRoom = (
  deps: Pick<Deps, 'db' | 'config'>,
  { address, workspaceId, plan, mailBytes }: MailboxUse,
): boolean => {
  const { mail_bytes: limit } = planLimits({ plan, config: deps.config });
  if (mailBytes !== null) noteMailUse(deps.db, address, { workspaceId, bytes: mailBytes }, limit);
  const known = knownBy.get(deps.db)?.get(address);
  // What is known may be of a workspace that had the address before.
  return known?.workspaceId !== workspaceId || known.bytes < limit;
};

const noteMailUse = (db: Db, address: string, use: Omit<KnownUse, 'untilMs'>, limit: number): void => {
  const known = knownBy.get(db) ?? createRecentMap<KnownUse>(mailRoomLimits.addressesMax);
  knownBy.set(db, known);
  const { knownForMsMax, fullForMs } = mailRoomLimits;
  const leftBytes = limit - use.bytes;
  const forMs = leftBytes > 0 ? Math.min(knownForMsMax, leftBytes / bytesPerMs) : fullForMs;
  known.set(address, { ...use, untilMs: performance.now() + forMs });
};

/** How many bytes of mail the caller stores. */
export const readMailBytes = async (ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<number> => {
  const [row] = await selectMailBytes(ctx, { workspaceId: ctx.workspaceId });
  return Number(row?.bytes ?? 0);
};

const selectMailBytes = prepared((db, { workspaceId }: { workspaceId: string }) =>
  sql<{ bytes: number }>`select mail_bytes_of(${workspaceId}) as bytes`.compile(db),
);
