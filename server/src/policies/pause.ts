import type { PauseLevel } from '@postrider/contract';
import { sql } from 'kysely';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { type ChangeContext, changeSending, type SendScope } from './change-sending.ts';
import { requireSubject } from './set-policy.ts';

/** The place of a pause: a key, an inbox, a workspace, or the server, which has an empty subject and no workspace. */
export type PausePlace =
  | { level: 'server'; workspaceId: null; subjectId: '' }
  | { level: Exclude<PauseLevel, 'server'>; workspaceId: string; subjectId: string };

/** The whole server. */
export const wholeServer: PausePlace = { level: 'server', workspaceId: null, subjectId: '' };

/** An active pause. */
export interface PauseInForce {
  level: PauseLevel;
  subjectId: string;
  reason: string | null;
  pausedAt: Date;
  pausedBy: string | null;
}

/**
 * Stops everything that is sent from a place. Once it returns, nothing is handed to a relay: sends are refused, and what is queued,
 * deferred, scheduled or held waits. Incoming mail still arrives. Returns for how many recipients a relay was taking mail when the pause
 * began and still is. A second pause of one place changes nothing.
 *
 * @throws ApiError `not_found` if the workspace has no such inbox or key.
 */
export async function pause(
  ctx: ChangeContext,
  place: PausePlace,
  reason: string | null,
  actor: AuditActor,
): Promise<{ underWay: number }> {
  const { underWay } = await changeSending(ctx, pausedScope(place), ['sending'], async (tx) => {
    if (place.level !== 'server') await requireSubject(tx, { ...place, level: place.level });
    const { level, subjectId, workspaceId } = place;
    const inserted = await acrossWorkspaces(tx, 'a pause may be of the whole server')
      .insertInto('pauses')
      .values({
        level,
        subject_id: subjectId,
        workspace_id: workspaceId,
        reason,
        paused_at: tx.clock.now(),
        paused_by: actor.id,
      })
      .onConflict((of) => of.doNothing())
      .returning('level')
      .executeTakeFirst();
    if (inserted) await audit(tx, place, actor, 'paused', reason);
  });
  wakeAll(ctx, place);
  return { underWay };
}

/**
 * Ends a pause. Waiting mail is sent, unless it has expired. Returns whether there was one.
 *
 * @throws ApiError `not_found` if the workspace was deleted, or has no such inbox or key.
 */
export async function resume(ctx: ChangeContext, place: PausePlace, actor: AuditActor): Promise<boolean> {
  const wasPaused = await inTransaction(ctx, async (tx) => {
    if (place.level !== 'server') {
      await lockLive(tx, place.workspaceId);
      await requireSubject(tx, { ...place, level: place.level });
    }
    const { level, subjectId } = place;
    await sql`select lock_waiting(true)`.execute(tx.db);
    const removed = await acrossWorkspaces(tx, 'a pause may be of the whole server')
      .deleteFrom('pauses')
      .where('level', '=', level)
      .where('subject_id', '=', subjectId)
      .returning('level')
      .executeTakeFirst();
    if (!removed) return false;
    await continueWith(tx, place);
    await audit(tx, place, actor, 'resumed', null);
    return true;
  });
  if (wasPaused) wakeAll(ctx, place);
  return wasPaused;
}

/** Locks a workspace until the transaction ends. The pause of one that was deleted is for good. */
async function lockLive(tx: ChangeContext, workspaceId: string): Promise<void> {
  const row = await acrossWorkspaces(tx, 'a workspace is no row of itself')
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('id');
}

/** Returns the pauses of a workspace, and that of the server, the newest first. */
export async function listPauses(
  ctx: Pick<ChangeContext, 'db'>,
  workspaceId: string | null,
): Promise<PauseInForce[]> {
  let rows = acrossWorkspaces(ctx, 'a pause may be of the whole server').selectFrom('pauses').selectAll();
  if (workspaceId !== null)
    rows = rows.where((is) => is.or([is('workspace_id', '=', workspaceId), is('level', '=', 'server')]));
  return (await rows.orderBy('paused_at', 'desc').execute()).map((row) => ({
    level: row.level,
    subjectId: row.subject_id,
    reason: row.reason,
    pausedAt: row.paused_at,
    pausedBy: row.paused_by,
  }));
}

function pausedScope({ level, workspaceId, subjectId }: PausePlace): SendScope {
  return {
    workspaceId,
    inboxId: level === 'inbox' ? subjectId : undefined,
    actorId: level === 'key' ? subjectId : undefined,
  };
}

/**
 * Makes recipients due again when they were before the pause, and scheduled drafts at their times. If something else is paused, they go
 * on waiting.
 */
async function continueWith(tx: ChangeContext, { level, workspaceId, subjectId }: PausePlace): Promise<void> {
  const db = acrossWorkspaces(tx, 'a pause may be of the whole server');
  const workspace = workspaceId === null ? sql`true` : sql`workspace_id = ${workspaceId}`;
  const inbox = level === 'inbox' ? sql`inbox_id = ${subjectId}` : sql`true`;
  const sender = sql`exists (select from messages m
    where m.workspace_id = r.workspace_id and m.id = r.message_id and ${subjectId} in (m.actor_id, m.writer_id))`;
  await sql`update message_recipients r set due_at = resume_at where resume_at is not null
    and ${workspace} and ${inbox} and ${level === 'key' ? sender : sql`true`}`.execute(db);
  await sql`update drafts set due_at = scheduled_at where due_at > scheduled_at and message_id is null
    and ${workspace} and ${inbox} and ${level === 'key' ? sql`${subjectId} in (actor_id, writer_id)` : sql`true`}`.execute(
    db,
  );
}

async function audit(
  tx: ChangeContext,
  { level, workspaceId, subjectId }: PausePlace,
  actor: AuditActor,
  what: 'paused' | 'resumed',
  reason: string | null,
): Promise<void> {
  const workspaces = workspaceId === null ? await allWorkspaces(tx) : [workspaceId];
  const act = {
    action: `sending.${level}_${what}`,
    target: subjectId || null,
    ...(reason && { after: { reason } }),
  };
  await appendAudit(tx, workspaces, actor, act);
}

async function allWorkspaces(tx: ChangeContext): Promise<string[]> {
  const rows = await acrossWorkspaces(tx, 'a pause of the server concerns all')
    .selectFrom('workspaces')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

function wakeAll(ctx: ChangeContext, { workspaceId }: PausePlace): void {
  for (const topic of ['control', 'drafts', 'deliveries'] as const)
    ctx.wakeups.wake(workspaceId ?? '', topic);
  if (workspaceId !== null) ctx.wakeups.wake(workspaceId);
}
