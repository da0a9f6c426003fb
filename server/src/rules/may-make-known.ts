import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';

/**
 * Checks that the caller may write an outbound allow rule, which makes an address known to every policy that allows known recipients, or
 * delete an outbound block rule, under which a broader one may come to light. Where a policy limits recipients, that is for those who may
 * change it. The policy of another key does not hold a key back, because a key without one may write to anybody itself. Holds until the
 * transaction ends.
 *
 * @throws ApiError `sending_not_allowed` for a key, `owner_only` for a member.
 */
export async function requireMayMakeKnown(tx: Context): Promise<void> {
  await sql`select lock_sending(${tx.workspaceId}, false)`.execute(tx.db);
  const level = await limitedAt(tx);
  if (level === null || tx.actor.kind === 'server') return;
  if (tx.actor.kind === 'key')
    throw new ApiError('sending_not_allowed', { at: level }, { message: forPeople });
  const member = await scoped(tx)
    .selectFrom('memberships')
    .select('role')
    .where('person_id', '=', tx.actor.id)
    .executeTakeFirst();
  if (member?.role !== 'owner') throw new ApiError('owner_only');
}

const forPeople =
  'A policy of this workspace limits recipients, so that only people allow further ones: ask them.';

/**
 * Returns where a policy that concerns the caller limits recipients, if one does. Those of revoked keys and deleted inboxes hold for
 * nothing.
 */
async function limitedAt(tx: Context): Promise<'workspace' | 'inbox' | 'key' | null> {
  const { rows } = await sql<{ level: 'workspace' | 'inbox' | 'key' }>`select level from policies p
    where workspace_id = ${tx.workspaceId} and lines ? 'recipients'
      and (level <> 'key' or ${tx.actor.kind !== 'key'} or subject_id = ${tx.actor.id})
      and not exists (select from api_keys k where level = 'key' and k.id = subject_id and k.revoked_at is not null)
      and (level <> 'inbox' or exists (select from inboxes i where i.workspace_id = p.workspace_id and i.id = subject_id
        and i.deleted_at is null))
    order by array_position(array['workspace', 'inbox', 'key'], level) limit 1`.execute(
    acrossWorkspaces(tx, 'the query names the workspace'),
  );
  return rows[0]?.level ?? null;
}
