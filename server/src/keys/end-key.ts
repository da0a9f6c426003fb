import type { KeyWorks } from '@postrider/contract/console';
import { sql } from 'kysely';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type ChangeContext, changeSending } from '../policies/change-sending.ts';
import { type KeyPlace, wakeHolders } from './change-key.ts';

/** The number of drafts of a key that are listed; all of them are counted. */
const draftsNamedMax = 100;

/** The webhooks and drafts of a revoked key, and whether they stay active. */
export interface EndedKey extends KeyWorks {
  kept: boolean;
}

/**
 * Revokes a key. From the next request on, it is refused everywhere, and its waiting requests and its sockets end now. A send in progress
 * is either stored before this returns or refused. What was accepted before continues. Unless `keep` is true, its webhooks are disabled and
 * its scheduled drafts become drafts in the same transaction. Returns these; a second call changes nothing and returns null.
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
    if (!keep) await stopWorks(tx, place);
    // Last, as everywhere: others have locked a webhook and wait for the log.
    if (actor) await recordEnd(tx, place, actor, { revoked, works, keep });
    return { ...works, kept: keep };
  });
  wakeHolders(ctx, workspaceId);
  ctx.wakeups.wake(workspaceId, 'webhooks');
  return result;
}

/**
 * Returns the enabled webhooks and the scheduled drafts that go back to a key: it made the webhook or was the last to choose the URL, and
 * it wrote the draft or was the last to change it.
 */
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
    .where(isBy(id))
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

/** Content of the key that a person scheduled also counts. */
function isBy(keyId: string) {
  return sql<boolean>`${keyId} in (drafts.actor_id, drafts.writer_id)`;
}

/** A draft that a worker is sending at the moment is not sent, because its version rises. */
async function stopWorks(tx: ChangeContext, { workspaceId, id }: KeyPlace): Promise<void> {
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
    .where(isBy(id))
    .where('due_at', 'is not', null)
    .where('message_id', 'is', null)
    .execute();
}

async function recordEnd(
  tx: ChangeContext,
  { workspaceId, id }: KeyPlace,
  actor: AuditActor,
  { revoked, works, keep }: { revoked: { name: string; hint: string }; works: KeyWorks; keep: boolean },
): Promise<void> {
  const { webhooks, drafts, draft_count } = works;
  const after = {
    kept: keep,
    webhooks: webhooks.map((webhook) => webhook.id),
    drafts: drafts.map((draft) => draft.id),
    draft_count,
  };
  await appendAudit(tx, workspaceId, actor, {
    action: 'key.revoked',
    target: id,
    before: { ...revoked },
    after,
  });
  const change = { action: 'webhook.changed', before: { enabled: true }, after: { enabled: false } };
  for (const { id: target } of keep ? [] : webhooks)
    await appendAudit(tx, workspaceId, actor, { ...change, target });
}
