import { consoleContract } from '@postrider/contract/console';
import type { Response } from 'express';
import { decideLinked, showLinked } from '../approvals/approval-link.ts';
import { decideApprovals } from '../approvals/decide-approvals.ts';
import { listApprovals } from '../approvals/list-approvals.ts';
import { readApproval } from '../approvals/read-approval.ts';
import { contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { requestIdOf } from '../http/begin-request.ts';
import { toAuditActor } from '../people/person-context.ts';
import { defineRoutes } from '../routes.ts';
import { memberOf } from './signed-in.ts';

/** Handlers of what waits for the approval of people. */
export const approvalsRoutes = defineRoutes(consoleContract.approvals, {
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listApprovals(contextOf(res), query);
    return { status: 200, body: { approvals: rows, next_cursor: nextCursor } };
  },
  get: async ({ params, res }) => ({ status: 200, body: await readApproval(contextOf(res), params.id) }),
  decide: async ({ body, res }) => {
    const { decision, messages, reason = null } = body;
    const actor = toAuditActor(memberOf(res));
    const results = await decideApprovals(contextOf(res), messages, {
      decision,
      reason,
      actor,
      by: 'console',
    });
    return { status: 200, body: { results } };
  },
});

/** Handlers of links in mails about held messages, which need no session. */
export function approvalLinksRoutes(deps: Deps) {
  return defineRoutes(consoleContract.approvalLinks, {
    show: async ({ body }) => ({ status: 200, body: await showLinked(deps, body.token) }),
    decide: async ({ body, req, res }) => {
      const from = { address: req.ip ?? null, requestId: requestIdOf(res as Response) };
      return { status: 200, body: await decideLinked(deps, { ...body, reason: body.reason ?? null }, from) };
    },
  });
}
