import type { HeldWebhook } from '@postrider/contract/console';
import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { holdsKey } from './require-unheld.ts';
import type { PolicyPlace } from './store-policy.ts';

/**
 * Returns the enabled webhooks that were made by keys which the policy of a place holds. They were allowed when they were made and go on,
 * so people who set a policy hear of them.
 */
export async function findHeldWebhooks(
  ctx: Pick<Deps, 'db'>,
  { workspaceId, level, subjectId }: PolicyPlace,
): Promise<HeldWebhook[]> {
  const { rows } = await sql<HeldWebhook>`select w.id, w.url, k.id as key_id, k.name as key_name
    from webhooks w join api_keys k on k.workspace_id = w.workspace_id and k.id = w.actor_id
    where w.workspace_id = ${workspaceId} and w.enabled and k.revoked_at is null and exists (
      select from policies p where p.workspace_id = ${workspaceId} and p.level = ${level} and p.subject_id = ${subjectId} and ${holdsKey})
    order by w.id`.execute(acrossWorkspaces(ctx, 'the query names the workspace'));
  return rows;
}
