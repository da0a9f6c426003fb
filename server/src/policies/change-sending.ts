/*
 * The settings of what can be sent (policies, pauses, keys) have a version. A send is decided by one version and stored only if that
 * version still applies, under a lock that it shares with other sends. A change takes the lock alone, so it waits for sends that are being
 * stored, and increases the version. Then it waits for messages that were already on their way to a relay. Everything that the change
 * forbids has thus ended when it returns.
 */
import { sql } from 'kysely';
import { inTransaction, onControlConnection } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wait } from '../lib/concurrency/wait.ts';

/** The context of a change of what can be sent. */
export type ChangeContext = Pick<Deps, 'db' | 'clock' | 'wakeups'>;

/** How long a change waits for mail that a relay is taking. A relay may take ten minutes for its last word. */
export const changeLimits: { underWayMaxMs: number } = { underWayMaxMs: 10_000 };
const lookAgainMs = 10;

/** Which messages a change concerns. Without a workspace, all. */
export interface SendScope {
  workspaceId: string | null;
  inboxId?: string | undefined;
  /** The actor that sent them, or wrote them as drafts. */
  actorId?: string | undefined;
}

/**
 * Makes a change of what can be sent. Once it resolves, nothing that it forbids is stored, and nothing that was stored before is handed to
 * a relay. `stops` names the statuses of mail in progress that the change waits for: `sending` if later attempts check the change anyway,
 * as for a pause. Returns the result of `change`, and for how many recipients a relay is still accepting mail after ten seconds.
 */
export function changeSending<T>(
  ctx: ChangeContext,
  scope: SendScope,
  stops: ('queued' | 'sending')[],
  change: (tx: ChangeContext) => Promise<T>,
): Promise<{ result: T; underWay: number }> {
  return onControlConnection(async () => {
    const result = await inTransaction(ctx, async (tx) => {
      await sql`select lock_sending(${scope.workspaceId ?? ''}, true)`.execute(tx.db);
      // First, because the change ends with its entry in the audit log, for which others may wait that have locked the workspace.
      await raiseVersion(tx, scope.workspaceId);
      return change(tx);
    });
    return { result, underWay: await untilNoneUnderWay(ctx, scope, stops) };
  });
}

async function raiseVersion({ db }: ChangeContext, workspaceId: string | null): Promise<void> {
  const table = workspaceId === null ? sql`instance` : sql`workspaces`;
  const own = workspaceId === null ? sql`true` : sql`id = ${workspaceId}`;
  await sql`update ${table} set sending_version = sending_version + 1 where ${own}`.execute(db);
}

async function untilNoneUnderWay(ctx: ChangeContext, scope: SendScope, stops: string[]): Promise<number> {
  const until = performance.now() + changeLimits.underWayMaxMs;
  for (;;) {
    const underWay = await countUnderWay(ctx, scope, stops);
    if (underWay === 0 || performance.now() > until) return underWay;
    await wait(lookAgainMs);
  }
}

/** Counts recipients that a process works on. Those whose lease has ended belong to a process that died. */
async function countUnderWay(
  ctx: ChangeContext,
  { workspaceId, inboxId, actorId }: SendScope,
  statuses: string[],
): Promise<number> {
  let rows = acrossWorkspaces(ctx, 'a pause may be of the whole server')
    .selectFrom('message_recipients as r')
    .select((of) => of.fn.countAll<number>().as('count'))
    // The two statuses of the index.
    .where('r.status', 'in', ['queued', 'sending'])
    .where(sql<string>`r.status`, '=', sql<string>`any(${statuses}::text[])`)
    .where('r.due_at', '>', ctx.clock.now())
    .where('r.resume_at', 'is', null);
  if (workspaceId !== null) rows = rows.where('r.workspace_id', '=', workspaceId);
  if (inboxId !== undefined) rows = rows.where('r.inbox_id', '=', inboxId);
  if (actorId !== undefined)
    rows = rows
      .innerJoin('messages as m', (on) =>
        on.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.id', '=', 'r.message_id'),
      )
      .where((is) => is.or([is('m.actor_id', '=', actorId), is('m.writer_id', '=', actorId)]));
  return (await rows.executeTakeFirstOrThrow()).count;
}
