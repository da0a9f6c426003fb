/*
 * Decides whether a workspace has room for mail. Its stored bytes are read with the look-up that each recipient needs anyway, and only if
 * the decision could have changed: the room that is left cannot be filled faster than all processes together take mail in. So mail costs no
 * extra query, and processes need not tell each other anything.
 */
import type { Plan } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import type { Deps } from '../deps.ts';
import { createRecentMap, type Memory, perServer } from '../lib/memory.ts';
import { planLimits } from './plan.ts';

/** How long a known figure stays valid, and the number of workspaces and addresses that are remembered. */
export const mailRoomLimits: {
  knownForMsMax: number;
  fullForMs: number;
  workspacesMax: number;
  addressesMax: number;
} = { knownForMsMax: 10_000, fullForMs: 1_000, workspacesMax: 10_000, addressesMax: 50_000 };

/** More than all processes on one database take in. */
const bytesPerMs = 1_048_576;

const knownFigures = perServer(() => ({
  /** Workspaces by their addresses. */
  ownerOf: createRecentMap<string>(mailRoomLimits.addressesMax),
  /** The bytes that workspaces store, and until when the figure is precise enough. */
  useOf: createRecentMap<{ bytes: number; untilMs: number }>(mailRoomLimits.workspacesMax),
}));

/** An address and its workspace. `mailBytes` is what the workspace stores; null if that was known when the address was looked up. */
export interface MailboxUse {
  address: string;
  workspaceId: string;
  plan: Plan;
  mailBytes: number | null;
}

/**
 * Returns the addresses with which the stored bytes of their workspaces have to be read: one for each workspace that is known, and every
 * address whose workspace is not.
 */
export function addressesToMeasure(deps: { memory: Memory }, addresses: string[]): string[] {
  const { ownerOf, useOf } = knownFigures(deps);
  const now = performance.now();
  const measured = new Set<string>();
  return addresses.filter((address) => {
    const owner = ownerOf.get(address);
    if (owner === undefined) return true;
    if (measured.has(owner) || now < (useOf.get(owner)?.untilMs ?? 0)) return false;
    measured.add(owner);
    return true;
  });
}

/** Returns whether the workspace of an address has room for mail, and remembers the figure that was read. */
export function hasMailRoom(
  deps: Pick<Deps, 'memory' | 'config'>,
  { address, workspaceId, plan, mailBytes }: MailboxUse,
): boolean {
  const { ownerOf, useOf } = knownFigures(deps);
  const { mail_bytes: limit } = planLimits({ plan, config: deps.config });
  if (ownerOf.get(address) !== workspaceId) ownerOf.set(address, workspaceId);
  if (mailBytes !== null)
    useOf.set(workspaceId, { bytes: mailBytes, untilMs: validUntil(limit - mailBytes) });
  return (useOf.get(workspaceId)?.bytes ?? 0) < limit;
}

function validUntil(leftBytes: number): number {
  const { knownForMsMax, fullForMs } = mailRoomLimits;
  return performance.now() + (leftBytes > 0 ? Math.min(knownForMsMax, leftBytes / bytesPerMs) : fullForMs);
}

/** Returns the bytes of mail that the caller stores. */
export async function readMailBytes(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<number> {
  const [row] = await selectMailBytes(ctx, { workspaceId: ctx.workspaceId });
  return Number(row?.bytes ?? 0);
}

const selectMailBytes = prepared((db, { workspaceId }: { workspaceId: string }) =>
  sql<{ bytes: number }>`select mail_bytes_of(${workspaceId}) as bytes`.compile(db),
);
