/*
 * What a workspace has used against the caps of its plan. Usage is read with the look-up that each send makes anyway, and only
 * where the answer could have changed: what is left to a cap cannot be used up faster than all processes together send. So a
 * busy workspace that is far from its caps costs nothing, one near a cap is exact but for what is in flight, and several
 * processes need not tell each other anything.
 */
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { ApiError } from '../lib/api-error.ts';
import { createRecentMap, type RecentMap } from '../lib/recent-map.ts';
import { hasHigherPlan, planLimits } from './plan.ts';

/** What a workspace has used: messages sent in a UTC month, and bytes of attachments that are stored now. */
export interface Usage {
  emails: number;
  storage_bytes: number;
}

interface KnownUsage extends Usage {
  month: string;
  atMs: number;
}

const knownForMsMax = 1_000;
/** More than all processes on one database send in a millisecond, and store of attachments. */
const emailsPerMs = 10;
const storageBytesPerMs = 1_048_576;
const workspacesMax = 10_000;

const knownBy = new WeakMap<Database, RecentMap<KnownUsage>>();

/** The first day of the UTC month that a moment lies in. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** When the month after that of a moment begins. */
export const monthEnd = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

/** What is known well enough of the caller's usage to decide whether it may send; null where it has to be read. */
export const knownUsage = (ctx: Context, hasAttachments: boolean): Usage | null => {
  const known = knownBy.get(ctx.database)?.get(ctx.workspaceId);
  if (known?.month !== monthOf(ctx.clock.now())) return null;
  return performance.now() - known.atMs < validForMs(ctx, known, hasAttachments) ? known : null;
};

const validForMs = (ctx: Context, usage: Usage, hasAttachments: boolean): number => {
  const { emails_per_month, storage_bytes } = planLimits(ctx);
  const emailsLeft = emails_per_month - usage.emails;
  // The count never goes down, so who reached the cap has reached it for the month.
  if (emailsLeft <= 0) return Number.POSITIVE_INFINITY;
  const emailsMs = Math.min(knownForMsMax, emailsLeft / emailsPerMs);
  return hasAttachments
    ? Math.min(emailsMs, (storage_bytes - usage.storage_bytes) / storageBytesPerMs)
    : emailsMs;
};

/** Keeps what was read of the caller's usage in a month. */
export const noteUsage = (ctx: Context, month: string, usage: Usage): void => {
  const known = knownBy.get(ctx.database) ?? createRecentMap<KnownUsage>(workspacesMax);
  knownBy.set(ctx.database, known);
  known.set(ctx.workspaceId, { ...usage, month, atMs: performance.now() });
};

/**
 * Checks that the caller may send one more message.
 *
 * @throws ApiError `email_limit_reached`, or `storage_limit_reached` for a message with attachments.
 */
export const requireWithinPlan = (ctx: Context, usage: Usage, hasAttachments: boolean): void => {
  const { emails_per_month: limit, storage_bytes: limit_bytes } = planLimits(ctx);
  const upgrade = hasHigherPlan(ctx.plan);
  if (usage.emails >= limit) throw new ApiError('email_limit_reached', { upgrade, limit });
  if (hasAttachments && usage.storage_bytes >= limit_bytes)
    throw new ApiError('storage_limit_reached', { upgrade, limit_bytes });
};

/** What the caller has used in the month of a moment, and stores now. */
export const readUsage = async (ctx: Pick<Context, 'db' | 'workspaceId'>, at: Date): Promise<Usage> => {
  const [row] = await selectUsage(ctx, { workspaceId: ctx.workspaceId, month: monthOf(at) });
  return row?.usage ?? { emails: 0, storage_bytes: 0 };
};

const selectUsage = prepared((db, { workspaceId, month }: { workspaceId: string; month: string }) =>
  sql<{ usage: Usage }>`select usage_of(${workspaceId}, ${month}::date) as usage`.compile(db),
);
