import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';

/**
 * Checks that the calling key was not revoked since the request began. In a transaction a revocation waits for its end, and finds what it
 * stored.
 *
 * @throws ApiError `invalid_token`.
 */
export async function requireInForce(tx: Context): Promise<void> {
  await findCallingKey(tx);
}

/**
 * Checks that no policy limits what the calling key can send, or to whom: not its own, that of the workspace, or that of any inbox that it
 * can use. Otherwise it could evade the policy by sending data in another way than as a message. Caps do not count, and people are not
 * restricted. In a transaction, the result is valid until its end; elsewhere, only at this moment.
 *
 * @throws ApiError `sending_not_allowed`, or `invalid_token` as `requireInForce`.
 */
export async function requireUnheld(tx: Context): Promise<void> {
  const key = await findCallingKey(tx);
  if (key?.level) throw new ApiError('sending_not_allowed', { at: key.level }, { message: forOwners });
}

const forOwners =
  'A policy limits what this API key can send, so the key cannot make changes that would bypass the policy. Do not try again. ' +
  'Ask an owner of this workspace to make the change.';

interface Held {
  revoked_at: Date | null;
  level: 'workspace' | 'inbox' | 'key' | null;
}

/** Returns the calling key, and where a policy holds it; null for a person and for the server. */
async function findCallingKey(tx: Context): Promise<Held | null> {
  if (tx.actor.kind !== 'key') return null;
  await sql`select lock_sending(${tx.workspaceId}, false)`.execute(tx.db);
  const { rows } = await sql<Held>`select k.revoked_at, (
      select p.level from policies p where p.workspace_id = k.workspace_id and ${holdsKey}
      order by array_position(array['workspace', 'inbox', 'key'], p.level) limit 1) as level
    from api_keys k where k.workspace_id = ${tx.workspaceId} and k.id = ${tx.actor.id}`.execute(
    acrossWorkspaces(tx, 'the query names the workspace'),
  );
  const [key] = rows;
  if (!key || key.revoked_at) throw new ApiError('invalid_token');
  return key;
}

/** Whether a policy `p` limits what a key `k` of its workspace sends, or to whom. Lines that limit nothing are not stored. */
export const holdsKey = sql<boolean>`(p.lines ? 'send' or p.lines ? 'recipients') and (p.level = 'workspace'
  or (p.level = 'key' and p.subject_id = k.id)
  or (p.level = 'inbox' and (k.inbox_ids is null or p.subject_id = any(k.inbox_ids)) and exists (select from inboxes i
    where i.workspace_id = p.workspace_id and i.id = p.subject_id and i.deleted_at is null)))`;
