import { appendAudit } from '../audit/append-audit.ts';
import { isUniqueViolation } from '../db/database-errors.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { invalidField } from '../lib/api-error.ts';
import { auditActorOf } from './members.ts';
import type { MemberContext } from './person-context.ts';

/**
 * Gives the workspace another name.
 *
 * @throws ApiError `invalid_request` if another workspace of this server has it.
 */
export async function renameWorkspace(
  ctx: MemberContext,
  name: string,
): Promise<{ id: string; name: string }> {
  const id = ctx.workspaceId;
  try {
    return await inTransaction(ctx, async (tx) => {
      const before = await acrossWorkspaces(tx, 'a workspace is no row of itself')
        .selectFrom('workspaces')
        .select('name')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      await acrossWorkspaces(tx, 'a workspace is no row of itself')
        .updateTable('workspaces')
        .set({ name })
        .where('id', '=', id)
        .execute();
      const act = { action: 'workspace.renamed', target: id, before: { ...before }, after: { name } };
      await appendAudit(tx, id, auditActorOf(ctx), act);
      return { id, name };
    });
  } catch (error) {
    if (isUniqueViolation(error))
      throw invalidField('name', 'is the name of another workspace of this server');
    throw error;
  }
}
