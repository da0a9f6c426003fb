import { sql } from 'kysely';
import { deleteInBatches } from '../db/batched.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/**
 * Removes the files of drafts that are sent for good, since their messages have them. A draft whose message may still be rejected for all
 * recipients keeps its files.
 */
export async function removeSentFiles(deps: Pick<Deps, 'db'>): Promise<void> {
  const db = acrossWorkspaces(deps, 'drafts are sent in all workspaces');
  const ofSent = db.selectFrom('draft_files').where(
    sql<boolean>`exists (select from drafts d
      join message_recipients r on r.workspace_id = d.workspace_id and r.message_id = d.message_id
      where d.workspace_id = draft_files.workspace_id and d.id = draft_files.draft_id
        and r.status not in ('queued', 'held', 'sending', 'deferred', 'rejected'))`,
  );
  await deleteInBatches(ofSent, db.deleteFrom('draft_files'));
}
