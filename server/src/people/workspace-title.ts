import { appendAudit } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { ManagerContext } from './person-context.ts';
import { toAuditActor } from './person-context.ts';

/** Changes what people call the workspace. Its name, by which operators and the configuration know it, stays. */
export function setTitle(ctx: ManagerContext, title: string): Promise<{ id: string; title: string }> {
  const id = ctx.workspaceId;
  return inTransaction(ctx, async (tx) => {
    const workspaces = acrossWorkspaces(tx, 'a workspace is no row of itself');
    const before = await workspaces
      .selectFrom('workspaces')
      .select('title')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await workspaces.updateTable('workspaces').set({ title }).where('id', '=', id).execute();
    const act = { action: 'workspace.renamed', target: id, before: { ...before }, after: { title } };
    await appendAudit(tx, id, toAuditActor(ctx), act);
    return { id, title };
  });
}

/** Returns the title of a workspace. */
export async function readTitle(deps: Pick<Deps, 'db'>, workspaceId: string): Promise<string> {
  const row = await acrossWorkspaces(deps, 'a workspace is no row of itself')
    .selectFrom('workspaces')
    .select('title')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return row.title;
}

/**
 * Locks a workspace until the transaction ends, so that callers that count its rows before they add one take turns. Rows that refer to the
 * workspace can be added meanwhile.
 */
export async function lockWorkspace(tx: Pick<Deps, 'db'>, workspaceId: string): Promise<void> {
  await acrossWorkspaces(tx, 'a workspace is no row of itself')
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute();
}
