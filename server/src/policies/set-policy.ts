import type { PolicyIn } from '@postrider/contract';
import type { HeldWebhook } from '@postrider/contract/console';
import { sql } from 'kysely';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type ChangeContext, changeSending } from './change-sending.ts';
import { findHeldWebhooks } from './held-webhooks.ts';
import { normalized, type PolicyPlace, policyAt, storePolicy } from './store-policy.ts';

/**
 * Sets the policy of a workspace, an inbox or a key, in place of that before. Without lines there is none. It holds for every send that
 * is not stored when it returns; what was accepted before goes on. Also returns the enabled webhooks of keys that it holds.
 *
 * @throws ApiError `not_found` if the workspace has no such inbox or key.
 */
export async function setPolicy(
  ctx: ChangeContext,
  place: PolicyPlace,
  lines: PolicyIn,
  actor: AuditActor,
): Promise<{ lines: PolicyIn; heldWebhooks: HeldWebhook[] }> {
  const after = normalized(lines);
  const { workspaceId, level, subjectId } = place;
  const scope = { workspaceId };
  const { result } = await changeSending(ctx, scope, ['queued', 'sending'], async (tx) => {
    await requireSubject(tx, place);
    const before = await policyAt(tx, place);
    await storePolicy(tx, place, after, actor.id);
    const act = {
      action: `policy.${level}_changed`,
      target: subjectId,
      before: { ...before },
      after: { ...after },
    };
    await appendAudit(tx, workspaceId, actor, act);
    return { lines: after, heldWebhooks: await findHeldWebhooks(tx, place) };
  });
  ctx.wakeups.wake(workspaceId, 'control');
  return result;
}

const prefixes = { workspace: 'wsp', inbox: 'inb', key: 'key' } as const;

/**
 * Checks that a place is the workspace, or an inbox or a key of it.
 *
 * @throws ApiError `not_found`.
 */
export async function requireSubject(
  tx: Pick<ChangeContext, 'db'>,
  { workspaceId, level, subjectId }: PolicyPlace,
): Promise<void> {
  if (!isId(prefixes[level], subjectId)) throw notFound('id');
  if (level === 'workspace') {
    if (subjectId !== workspaceId) throw notFound('id');
    return;
  }
  const rows = scoped({ db: tx.db, workspaceId, scope: wholeWorkspace });
  const table = level === 'inbox' ? 'inboxes' : 'api_keys';
  const found = await rows
    .selectFrom(table)
    .select(`${table}.id`)
    .where(`${table}.id`, '=', subjectId)
    .$if(level === 'inbox', (of) => of.where(sql`deleted_at`, 'is', null))
    .executeTakeFirst();
  if (!found) throw notFound(level === 'inbox' ? 'inbox_id' : 'key_id');
}
