import type { HeldWebhook } from '@postrider/contract/console';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { changedFields } from '../audit/record-act.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type ChangeContext, changeSending } from '../policies/change-sending.ts';
import { findHeldWebhooks } from '../policies/held-webhooks.ts';
import { type KeyLimits, type KeyPlace, lockLimits, storeLimits, viewLimits } from './key-limits.ts';

/** What people may change of a key. Fields that are left out stay. */
export type KeyChange = Partial<KeyLimits> & { name?: string };

/**
 * Changes the name or the limits of a key. They hold for every request and every send that is not stored when it returns; what was
 * accepted before goes on. Its waiting requests and its sockets end if it has other inboxes now, and what webhooks that it made are for
 * is limited to these. Returns the enabled webhooks that it made if a policy was given that holds it.
 *
 * @throws ApiError `not_found` for a key or an inbox that the workspace does not have.
 */
export async function changeKey(
  ctx: ChangeContext,
  place: KeyPlace,
  change: KeyChange,
  actor: AuditActor,
): Promise<{ heldWebhooks: HeldWebhook[] }> {
  const { workspaceId, id } = place;
  const { result: heldWebhooks } = await changeSending(
    ctx,
    { workspaceId, actorId: id },
    ['queued', 'sending'],
    async (tx) => {
      const before = await lockLimits(tx, place);
      if (!before) throw notFound('id');
      const { name, ...given } = change;
      await storeLimits(tx, place, given, actor.id);
      if (name !== undefined) await rename(tx, place, name);
      const after = { ...before, ...given, ...(name !== undefined && { name }) };
      if (after.inboxIds !== null) await limitWebhooks(tx, place, after.inboxIds, actor);
      const changed = changedFields(viewKey(before), viewKey(after));
      if (changed)
        await appendAudit(tx, workspaceId, actor, { action: 'key.changed', target: id, ...changed });
      return given.policy ? findHeldWebhooks(tx, { workspaceId, level: 'key', subjectId: id }) : [];
    },
  );
  wakeHolders(ctx, workspaceId);
  return { heldWebhooks };
}

function viewKey({ name, ...limits }: KeyLimits & { name: string }): Record<string, unknown> {
  return { name, ...viewLimits(limits) };
}

/** Ends the waits and sockets of keys that are no longer allowed what they ask for. Call it after the commit. */
export function wakeHolders({ wakeups }: ChangeContext, workspaceId: string): void {
  wakeups.wake(workspaceId, 'keys');
  wakeups.wake(workspaceId, 'control');
}

async function rename(tx: ChangeContext, { workspaceId, id }: KeyPlace, name: string): Promise<void> {
  const keys = scoped({ db: tx.db, workspaceId }).updateTable('api_keys');
  await keys.set({ name }).where('id', '=', id).execute();
}

/** What a key may no longer read is no longer posted by webhooks that it made, either. */
async function limitWebhooks(
  tx: ChangeContext,
  { workspaceId, id }: KeyPlace,
  inboxIds: string[],
  actor: AuditActor,
): Promise<void> {
  const webhooks = await scoped({ db: tx.db, workspaceId, scope: wholeWorkspace })
    .selectFrom('webhooks')
    .select(['id', 'inbox_ids'])
    .where('actor_id', '=', id)
    .forUpdate()
    .execute();
  for (const webhook of webhooks) {
    const left = webhook.inbox_ids?.filter((one) => inboxIds.includes(one)) ?? inboxIds;
    if (left.length === webhook.inbox_ids?.length) continue;
    await acrossWorkspaces(tx, 'the id of a webhook is unique')
      .updateTable('webhooks')
      .set({ inbox_ids: left })
      .where('id', '=', webhook.id)
      .execute();
    const [before, after] = [{ inbox_ids: webhook.inbox_ids }, { inbox_ids: left }];
    await appendAudit(tx, workspaceId, actor, {
      action: 'webhook.changed',
      target: webhook.id,
      before,
      after,
    });
  }
}
