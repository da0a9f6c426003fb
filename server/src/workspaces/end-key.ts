import type { KeyWorks } from '@postrider/contract/console';
import { sql } from 'kysely';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { wakeHolders } from './change-key.ts';
import { type ChangeContext, changeSending } from './change-sending.ts';
import type { KeyPlace } from './key-limits.ts';

/** How many drafts of a key are named; all of them are counted. */
const draftsNamedMax = 100;

/** What a revoked key had set up, and whether that goes on. */
export interface EndedKey extends KeyWorks {
  kept: boolean;
}

/**
 * Revokes a key. From the next request on it is refused everywhere, and its waiting requests and its sockets end now. What it sends at the
 * moment is either stored before this returns or refused. What was accepted before goes on. Unless `keep` is true, its webhooks are disabled and
 * its scheduled drafts become drafts in the same transaction. Returns these; a second time changes nothing and returns null.
 */
export async function endKey(
  ctx: ChangeContext,
  place: KeyPlace,
  { keep = false, actor }: { keep?: boolean | undefined; actor: AuditActor | null },
): Promise<EndedKey | null> {
  const { workspaceId, id } = place;
  const scope = { workspaceId, actorId: id };
  const { result } = await changeSending(ctx, scope, ['queued', 'sending'], async (tx) => {
    const revoked = await scoped({ db: tx.db, workspaceId })
      .updateTable('api_keys')
      .set({ revoked_at: tx.clock.now() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(['name', 'hint'])
      .executeTakeFirst();
    if (!revoked) return null;
    const works = await findWorks(tx, place);
    if (actor)
      await recordEnd(tx, place, actor, {
        before: { ...revoked },
        after: { ...auditedWorks(works), kept: keep },
      });
    if (!keep) await stopWorks(tx, place, works, actor);
    return { ...works, kept: keep };
  });
  wakeHolders(ctx, workspaceId);
  ctx.wakeups.wake(workspaceId, 'webhooks');
  return result;
}

/** Returns the enabled webhooks and the scheduled drafts that go back to a key: it made them, or was the last to choose the URL or the time. */
export async function findWorks({ db }: Pick<Deps, 'db'>, { workspaceId, id }: KeyPlace): Promise<KeyWorks> {
  const rows = scoped({ db, workspaceId, scope: wholeWorkspace });
  const webhooks = await rows
    .selectFrom('webhooks')
    .select(['id', 'url'])
    .where('actor_id', '=', id)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
  const drafts = await rows
    .selectFrom('drafts')
    .select(['id', 'inbox_id', 'subject', 'scheduled_at'])
    .select(sql<number>`(count(*) over ())::int`.as('count'))
    .where('actor_id', '=', id)
    .where('due_at', 'is not', null)
    .where('message_id', 'is', null)
    .orderBy('scheduled_at')
    .orderBy('id')
    .limit(draftsNamedMax)
    .execute();
  return {
    webhooks,
    drafts: drafts.map(({ count: _, scheduled_at, ...draft }) => ({
      ...draft,
      scheduled_at: scheduled_at?.toISOString() ?? '',
    })),
    draft_count: drafts[0]?.count ?? 0,
  };
}

/** A draft that a worker is sending at the moment is not sent, because its version rises. */
async function stopWorks(
  tx: ChangeContext,
  { workspaceId, id }: KeyPlace,
  { webhooks }: KeyWorks,
  actor: AuditActor | null,
): Promise<void> {
  const rows = scoped({ db: tx.db, workspaceId, scope: wholeWorkspace });
  await rows
    .updateTable('webhooks')
    .set({ enabled: false })
    .where('actor_id', '=', id)
    .where('enabled', '=', true)
    .execute();
  await rows
    .updateTable('drafts')
    .set({
      scheduled_at: null,
      due_at: null,
      version: sql`version + 1`,
      updated_at: sql`greatest(${tx.clock.now()}::timestamptz, updated_at + interval '1 ms')`,
    })
    .where('actor_id', '=', id)
    .where('due_at', 'is not', null)
    .where('message_id', 'is', null)
    .execute();
  const [before, after] = [{ enabled: true }, { enabled: false }];
  for (const { id: target } of actor ? webhooks : [])
    await appendAudit(tx, workspaceId, actor as AuditActor, {
      action: 'webhook.changed',
      target,
      before,
      after,
    });
}

function auditedWorks({ webhooks, drafts, draft_count }: KeyWorks) {
  return { webhooks: webhooks.map(({ id }) => id), drafts: drafts.map(({ id }) => id), draft_count };
}

async function recordEnd(
  tx: ChangeContext,
  { workspaceId, id }: KeyPlace,
  actor: AuditActor,
  change: { before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  await appendAudit(tx, workspaceId, actor, { action: 'key.revoked', target: id, ...change });
}
