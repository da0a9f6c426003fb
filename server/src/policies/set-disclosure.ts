import type { Disclosure } from '@postrider/contract';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { type ChangeContext, changeSending } from './change-sending.ts';

/** Sets how recipients are told that an AI wrote a message. It holds for every message that a key writes and that is not stored yet. */
export async function setDisclosure(
  ctx: ChangeContext,
  workspaceId: string,
  disclosure: Disclosure,
  actor: AuditActor,
): Promise<void> {
  await changeSending(ctx, { workspaceId }, [], async (tx) => {
    const workspaces = acrossWorkspaces(tx, 'a workspace is no row of itself');
    const before = await workspaces
      .selectFrom('workspaces')
      .select('disclosure')
      .where('id', '=', workspaceId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await workspaces.updateTable('workspaces').set({ disclosure }).where('id', '=', workspaceId).execute();
    await appendAudit(tx, workspaceId, actor, {
      action: 'workspace.disclosure_changed',
      target: workspaceId,
      before: { ...before },
      after: { disclosure },
    });
  });
  ctx.wakeups.wake(workspaceId, 'control');
}
