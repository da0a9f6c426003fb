import type { PolicyIn } from '@postrider/contract';
import type { HeldWebhook } from '@postrider/contract/console';
import { type AuditActor, appendAudit, changedFields } from '../audit/append-audit.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type ChangeContext, changeSending } from '../policies/change-sending.ts';
import { findHeldWebhooks, normalized, policyAt, storePolicy } from '../policies/set-policy.ts';

/** The fields of a key that people may change. Those that are left out stay. */
export type KeyChange = Partial<KeyLimits> & { name?: string };

/**
 * Changes the name or the limits of a key. They apply to every request and to every send that is not stored when this returns; what was
 * accepted before continues. Waiting requests and sockets of the key end if its inboxes have changed, and the webhooks that it created are
 * limited to the new inboxes. If a policy that holds messages was given, returns the enabled webhooks that the key created. `check` sees
 * the previous limits, which stay until the change is stored.
 *
 * @throws ApiError `not_found` for a key or an inbox that the workspace does not have; whatever `check` throws.
 */
export async function changeKey(
  ctx: ChangeContext,
  place: KeyPlace,
  change: KeyChange,
  actor: AuditActor,
  check?: (tx: ChangeContext, before: KeyLimits) => Promise<void>,
): Promise<{ heldWebhooks: HeldWebhook[] }> {
  const { workspaceId, id } = place;
  const { result: heldWebhooks } = await changeSending(
    ctx,
    { workspaceId, actorId: id },
    ['queued', 'sending'],
    async (tx) => {
      const before = await lockLimits(tx, place);
      if (!before) throw notFound('id');
      await check?.(tx, before);
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

/** Ends the waits and sockets of keys that are no longer allowed to have them. Call it after the commit. */
export function wakeHolders({ wakeups }: ChangeContext, workspaceId: string): void {
  wakeups.wake(workspaceId, 'keys');
  wakeups.wake(workspaceId, 'control');
}

async function rename(tx: ChangeContext, { workspaceId, id }: KeyPlace, name: string): Promise<void> {
  const keys = scoped({ db: tx.db, workspaceId }).updateTable('api_keys');
  await keys.set({ name }).where('id', '=', id).execute();
}

/** Webhooks that a key made no longer post anything that it may no longer read. */
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

/** The limits of a key. */
export interface KeyLimits {
  /** The inboxes for which it is; null for all, an empty list for none. */
  inboxIds: string[] | null;
  readOnly: boolean;
  /** From then on it is refused; null for never. */
  expiresAt: Date | null;
  policy: PolicyIn;
}

/** A key, by its id and its workspace. */
export interface KeyPlace {
  workspaceId: string;
  id: string;
}

/** Returns the limits of a key; null if the workspace has no such key. It stays as it is until the transaction ends. */
export async function lockLimits(
  tx: ChangeContext,
  { workspaceId, id }: KeyPlace,
): Promise<(KeyLimits & { name: string }) | null> {
  const row = await scoped({ db: tx.db, workspaceId })
    .selectFrom('api_keys')
    .select(['name', 'inbox_ids', 'read_only', 'expires_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const { name, inbox_ids: inboxIds, read_only: readOnly, expires_at: expiresAt } = row;
  return {
    name,
    inboxIds,
    readOnly,
    expiresAt,
    policy: await policyAt(tx, policyPlace({ workspaceId, id })),
  };
}

/**
 * Stores limits of a key.
 *
 * @throws ApiError `not_found` for an inbox that the workspace does not have.
 */
export async function storeLimits(
  tx: Pick<Deps, 'db' | 'clock'>,
  place: KeyPlace,
  { inboxIds, readOnly, expiresAt, policy }: Partial<KeyLimits>,
  updatedBy: string | null,
): Promise<void> {
  if (inboxIds) await requireInboxes(tx, place.workspaceId, inboxIds);
  const columns = {
    ...(inboxIds !== undefined && { inbox_ids: inboxIds && [...new Set(inboxIds)] }),
    ...(readOnly !== undefined && { read_only: readOnly }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
  if (Object.keys(columns).length > 0)
    await acrossWorkspaces(tx, 'a key is global')
      .updateTable('api_keys')
      .set(columns)
      .where('id', '=', place.id)
      .execute();
  if (policy !== undefined) await storePolicy(tx, policyPlace(place), normalized(policy), updatedBy);
}

async function requireInboxes(tx: Pick<Deps, 'db'>, workspaceId: string, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return;
  const found = await scoped({ db: tx.db, workspaceId, scope: wholeWorkspace })
    .selectFrom('inboxes')
    .select('id')
    .where('id', 'in', wanted)
    .where('deleted_at', 'is', null)
    .execute();
  if (found.length < wanted.length) throw notFound('inbox_ids');
}

function policyPlace({ workspaceId, id }: KeyPlace) {
  return { workspaceId, level: 'key' as const, subjectId: id };
}

/** Returns limits as the audit log, the console and the command line show them; those that are not given are left out. */
export function viewLimits({ inboxIds, readOnly, expiresAt, policy }: Partial<KeyLimits>) {
  return {
    ...(inboxIds !== undefined && { inbox_ids: inboxIds }),
    ...(readOnly !== undefined && { read_only: readOnly }),
    ...(expiresAt !== undefined && { expires_at: expiresAt?.toISOString() ?? null }),
    ...(policy !== undefined && { policy: normalized(policy) }),
  };
}
