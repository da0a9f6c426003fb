import { deleteInBatches } from '../db/delete-in-batches.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/** Removes sessions, invitations, links for a new password and used tickets that have expired. They are refused before that, too. */
export async function removeExpiredLinks(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const db = acrossWorkspaces(deps, 'windows end in all workspaces');
  const now = deps.clock.now();
  for (const table of ['person_sessions', 'invitations', 'password_resets', 'used_tickets'] as const)
    await deleteInBatches(db.selectFrom(table).where('expires_at', '<=', now), db.deleteFrom(table));
}
