import { type AuditActor, appendAudit, operator } from '../audit/append-audit.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { runsServer } from '../people/first-workspace.ts';
import { deleteSessions, wakeWorkspaces } from '../people/sessions/sessions.ts';
import { type ChangeContext, changeSending } from '../policies/change-sending.ts';
import {
  RefusedChange,
  requireNotConfigured,
  UnknownWorkspace,
  type WorkspaceSummary,
} from './manage-workspaces.ts';

/**
 * Deletes a workspace. Once this returns, its keys are refused, its sockets and streams end, nothing of it is handed to a relay or posted
 * to a webhook, it has no members, and the sessions of its former members have ended. Workers remove its mail and files
 * (`accounts/watch-deleted.ts`). A pause keeps it from sending; nobody can end this pause, and it is removed last. Returns for how many
 * recipients a relay was accepting mail and still is.
 *
 * @throws Error if the configuration names it, if its owners run the server, or if it is already deleted.
 */
export async function deleteWorkspace(
  ctx: ChangeContext & Pick<Deps, 'config'>,
  { id, name }: Pick<WorkspaceSummary, 'id' | 'name'>,
  actor: AuditActor = operator,
): Promise<{ underWay: number }> {
  requireNotConfigured(ctx, name);
  await requireNotFirst(ctx, { id, name });
  const { result: people, underWay } = await changeSending(
    ctx,
    { workspaceId: id },
    ['sending'],
    async (tx) => {
      const { title, plan } = await markDeleted(tx, { id, name });
      await pauseForGood(tx, id);
      await endKeys(tx, id);
      // Posts to a deleted webhook are cut.
      await scoped({ db: tx.db, workspaceId: id, scope: wholeWorkspace }).deleteFrom('webhooks').execute();
      const members = await removePeople(tx, id);
      await appendAudit(tx, id, actor, {
        action: 'workspace.deleted',
        target: id,
        before: { name, title, plan },
      });
      return members;
    },
  );
  for (const topic of ['rows', 'log', 'keys', 'control', 'webhooks', 'drafts', 'deliveries'] as const)
    ctx.wakeups.wake(id, topic);
  for (const personId of people) await wakeWorkspaces(ctx, personId);
  return { underWay };
}

/** Nobody would take the place of the owners who run the server. */
async function requireNotFirst(
  ctx: Pick<Deps, 'db' | 'config'>,
  { id, name }: Pick<WorkspaceSummary, 'id' | 'name'>,
): Promise<void> {
  if (!(await runsServer(ctx, id))) return;
  throw new RefusedChange(
    `The owners of ${name}, the first workspace, run this server, so it cannot be deleted. It can get another name.`,
  );
}

async function markDeleted(tx: ChangeContext, { id, name }: Pick<WorkspaceSummary, 'id' | 'name'>) {
  const now = tx.clock.now();
  const row = await acrossWorkspaces(tx, 'an operator deletes workspaces')
    .updateTable('workspaces')
    .set({ deleted_at: now, purge_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(['title', 'plan'])
    .executeTakeFirst();
  if (!row) throw new UnknownWorkspace(name);
  return row;
}

async function pauseForGood(tx: ChangeContext, id: string): Promise<void> {
  await acrossWorkspaces(tx, 'a pause may be of the whole server')
    .insertInto('pauses')
    .values({
      level: 'workspace',
      subject_id: id,
      workspace_id: id,
      reason: 'The workspace was deleted.',
      paused_at: tx.clock.now(),
      paused_by: null,
    })
    .onConflict((of) => of.doNothing())
    .execute();
}

/** The hashes are released, so that the configuration can give a key to a workspace that it creates again. */
async function endKeys(tx: ChangeContext, id: string): Promise<void> {
  await scoped({ db: tx.db, workspaceId: id })
    .updateTable('api_keys')
    .set(({ fn, ref, val }) => ({
      revoked_at: fn.coalesce('revoked_at', val(tx.clock.now())),
      key_hash: fn<Buffer>('convert_to', [ref('id'), val('UTF8')]),
    }))
    .execute();
}

/** Removes all members, and ends their sessions. Returns their ids. */
async function removePeople(tx: ChangeContext, id: string): Promise<string[]> {
  const rows = scoped({ db: tx.db, workspaceId: id });
  // First, because anyone who is accepting an invitation now would become a member afterwards.
  await rows.deleteFrom('invitations').execute();
  const members = await rows.deleteFrom('memberships').returning('person_id').execute();
  for (const { person_id: personId } of members) await deleteSessions(tx, { personId });
  return members.map((member) => member.person_id);
}
