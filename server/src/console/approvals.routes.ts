import { consoleContract } from '@postrider/contract/console';
import { listApprovals } from '../approvals/list-approvals.ts';
import { readApproval } from '../approvals/read-approval.ts';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';

/** Handlers of what waits for the approval of people. */
export const approvalsRoutes = defineRoutes(consoleContract.approvals, {
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listApprovals(contextOf(res), query);
    return { status: 200, body: { approvals: rows, next_cursor: nextCursor } };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    const body = await ctx.readLimiter.run(ctx.workspaceId, () => readApproval(ctx, params.id));
    return { status: 200, body };
  },
});
