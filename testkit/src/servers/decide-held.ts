import type { Decision } from '@postrider/contract/console';
import { decideApprovals } from '../../../server/src/approvals/decide-approvals.ts';
import { getSummary } from '../../../server/src/approvals/list-approvals.ts';
import { operator } from '../../../server/src/audit/append-audit.ts';
import { wholeWorkspace } from '../../../server/src/lib/scope.ts';
import type { TestServer } from './test-server.ts';

/** Approves or refuses a held message of the server's workspace, as it was shown. Throws if the decision does not count. */
export async function decideHeld(
  { server, id: workspaceId }: Pick<TestServer, 'server' | 'id'>,
  decision: Decision,
  messageId: string,
  reason: string | null = null,
): Promise<void> {
  const ctx = { ...server.deps, workspaceId, scope: wholeWorkspace, isTest: false };
  const { content_hash } = await getSummary(ctx, messageId);
  const decided = { decision, reason, actor: operator, by: 'command line' } as const;
  const [result] = await decideApprovals(ctx, [{ message_id: messageId, content_hash }], decided);
  if (result?.problem !== null) throw new Error(`The decision does not count: ${result?.problem}.`);
}
