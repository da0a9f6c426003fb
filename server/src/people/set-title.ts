import { appendAudit } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { auditActorOf } from './members.ts';
import type { MemberContext } from './person-context.ts';

/** Changes what people call the workspace. Its name, by which operators and the configuration know it, stays. */
export function setTitle(ctx: MemberContext, title: string): Promise<{ id: string; title: string }> {
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
    await appendAudit(tx, id, auditActorOf(ctx), act);
    return { id, title };
  });
}
