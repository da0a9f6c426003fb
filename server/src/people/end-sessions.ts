import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { isId } from '../lib/ids.ts';

type SessionDeps = Pick<Deps, 'db' | 'wakeups'>;

/** The sessions to end: one of a person, all of them, or all but one. */
export interface EndedSessions {
  personId: string;
  id?: string;
  except?: string;
}

/**
 * Ends sessions. From the next request on they are refused everywhere, and their waiting requests and sockets end now. A `change` of the
 * account runs before, in the same transaction, so that a crash cannot leave sessions that it should have ended. `record` runs last in
 * it, and puts the change into the audit log. Returns how many ended.
 */
export async function endSessions<Ctx extends SessionDeps>(
  ctx: Ctx,
  ended: EndedSessions,
  change?: (tx: Ctx) => Promise<unknown>,
  record?: (tx: Ctx) => Promise<unknown>,
): Promise<number> {
  const count = change
    ? await inTransaction(ctx, async (tx) => {
        await change(tx);
        const deleted = await deleteSessions(tx, ended);
        await record?.(tx);
        return deleted;
      })
    : await deleteSessions(ctx, ended);
  if (count > 0) await wakeWorkspaces(ctx, ended.personId);
  return count;
}

/** Removes the rows of sessions, in a transaction whose caller wakes the workspaces of the person after it. Returns how many. */
export async function deleteSessions(
  deps: Pick<Deps, 'db'>,
  { personId, id, except }: EndedSessions,
): Promise<number> {
  const db = acrossWorkspaces(deps, 'people are not of one workspace');
  let query = db.deleteFrom('person_sessions').where('person_id', '=', personId);
  if (id !== undefined && !isId('ses', id)) return 0;
  if (id !== undefined) query = query.where('id', '=', id);
  if (except !== undefined) query = query.where('id', '!=', except);
  return (await query.returning('id').execute()).length;
}

/** Makes the requests and sockets that a person has open look whether they may go on. */
export async function wakeWorkspaces(deps: SessionDeps, personId: string): Promise<void> {
  const rows = await acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('memberships')
    .select('workspace_id')
    .where('person_id', '=', personId)
    .execute();
  for (const { workspace_id } of rows) deps.wakeups.wake(workspace_id, 'keys');
}
