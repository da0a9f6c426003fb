/*
 * Compares the usage of a workspace with the limits of its plan. Usage is read with a look-up that each send and each recipient needs
 * anyway, and only if the result could have changed: the rest below a limit cannot be used up faster than all processes together send or
 * take mail in. So a busy workspace far below its limits costs nothing, one near a limit is exact except for what is in flight, and
 * processes need not tell each other anything.
 */

import { Plan, type PlanLimits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { createRecentMap, type Memory, perServer } from '../lib/memory.ts';

/** Returns the limits of the caller's plan, with the figures that configuration overrides. */
export function planLimits(ctx: Pick<Context, 'plan' | 'config'>): PlanLimits {
  return ctx.config.plans[ctx.plan];
}

/** Returns whether there is a higher plan. A caller on the highest one is not told to upgrade. */
export function hasHigherPlan(plan: Plan): boolean {
  return plan !== Plan.options.at(-1);
}

/** The usage of a workspace: messages sent in a UTC month, and bytes of attachments that are stored now. */
export interface Usage {
  emails: number;
  storage_bytes: number;
}

interface KnownUsage extends Usage {
  month: string;
  atMs: number;
}

const knownForMsMax = 1_000;
/** More than all processes on one database send in a millisecond, and more than they store of attachments. */
const emailsPerMs = 10;
const storageBytesPerMs = 1_048_576;
const workspacesMax = 10_000;

const knownUsages = perServer(() => createRecentMap<KnownUsage>(workspacesMax));

/** Returns the first day of the UTC month of a moment. */
export function monthOf(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}

/** Returns the start of the month after that of a moment. */
export function monthEnd(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));
}

/** Returns the caller's usage if it is known precisely enough to decide whether it may send; null if it has to be read. */
export function knownUsage(ctx: Context, hasAttachments: boolean): Usage | null {
  const known = knownUsages(ctx).get(ctx.workspaceId);
  if (known?.month !== monthOf(ctx.clock.now())) return null;
  return performance.now() - known.atMs < validForMs(ctx, known, hasAttachments) ? known : null;
}

function validForMs(ctx: Context, usage: Usage, hasAttachments: boolean): number {
  const { emails_per_month, storage_bytes } = planLimits(ctx);
  const emailsLeft = emails_per_month - usage.emails;
  // The count never goes down, so a workspace that reached the limit stays there for the month.
  if (emailsLeft <= 0) return Number.POSITIVE_INFINITY;
  const emailsMs = Math.min(knownForMsMax, emailsLeft / emailsPerMs);
  return hasAttachments
    ? Math.min(emailsMs, (storage_bytes - usage.storage_bytes) / storageBytesPerMs)
    : emailsMs;
}

/** Keeps the usage of the caller that was read for a month. */
export function noteUsage(ctx: Context, month: string, usage: Usage): void {
  knownUsages(ctx).set(ctx.workspaceId, { ...usage, month, atMs: performance.now() });
}

/**
 * Checks that the caller may send one more message.
 *
 * @throws ApiError `email_limit_reached`, or `storage_limit_reached` for a message with attachments.
 */
export function requireWithinPlan(ctx: Context, usage: Usage, hasAttachments: boolean): void {
  const { emails_per_month: limit, storage_bytes: limit_bytes } = planLimits(ctx);
  const upgrade = hasHigherPlan(ctx.plan);
  if (usage.emails >= limit) throw new ApiError('email_limit_reached', { upgrade, limit });
  if (hasAttachments && usage.storage_bytes >= limit_bytes)
    throw new ApiError('storage_limit_reached', { upgrade, limit_bytes });
}

/** Returns the caller's usage in the month of a moment, and its stored bytes now. */
export async function readUsage(ctx: Pick<Context, 'db' | 'workspaceId'>, at: Date): Promise<Usage> {
  const [row] = await selectUsage(ctx, { workspaceId: ctx.workspaceId, month: monthOf(at) });
  return row?.usage ?? { emails: 0, storage_bytes: 0 };
}

const selectUsage = prepared((db, { workspaceId, month }: { workspaceId: string; month: string }) =>
  sql<{ usage: Usage }>`select usage_of(${workspaceId}, ${month}::date) as usage`.compile(db),
);

/* Room for mail that comes in: the stored bytes are read with the look-up that each recipient needs anyway. */

/** How long a known figure stays valid, and the number of workspaces and addresses that are remembered. */
export const mailRoomLimits: {
  knownForMsMax: number;
  fullForMs: number;
  workspacesMax: number;
  addressesMax: number;
} = { knownForMsMax: 10_000, fullForMs: 1_000, workspacesMax: 10_000, addressesMax: 50_000 };

/** More than all processes on one database can receive. */
const bytesPerMs = 1_048_576;

const knownRoom = perServer(() => ({
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
  const { ownerOf, useOf } = knownRoom(deps);
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
  const { ownerOf, useOf } = knownRoom(deps);
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
