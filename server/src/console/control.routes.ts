import { consoleContract, type DecideApprovals, type DecisionResult } from '@postrider/contract/console';
import type { Response } from 'express';
import { decideLinked, showLinked } from '../approvals/approval-link.ts';
import { decideApprovals } from '../approvals/decide-approvals.ts';
import { listApprovals } from '../approvals/list-approvals.ts';
import { readApproval } from '../approvals/read-approval.ts';
import { contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { readRequestId } from '../http/begin-request.ts';
import { scopeOfKey } from '../keys/authenticate.ts';
import { type ManagerContext, toAuditActor } from '../people/person-context.ts';
import { pause, resume } from '../policies/pause.ts';
import { listPolicies, readControl } from '../policies/read-control.ts';
import { readKeyPolicy } from '../policies/read-policy.ts';
import { requireSubject, setDisclosure, setPolicy } from '../policies/set-policy.ts';
import { defineRoutes } from '../routes.ts';
import { readManager } from './signed-in.ts';

/** Handlers of what waits for the approval of people. */
export const approvalsRoutes = defineRoutes(consoleContract.approvals, {
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listApprovals(contextOf(res), query);
    return { status: 200, body: { approvals: rows, next_cursor: nextCursor } };
  },
  get: async ({ params, res }) => ({ status: 200, body: await readApproval(contextOf(res), params.id) }),
  decide: decideForPeople,
});

/** Decides about held messages: for the person who is signed in, or by a token for the people that `decided_by` names. */
async function decideForPeople({
  body,
  res,
}: {
  body: DecideApprovals & { decided_by?: string };
  res: { locals: Record<string, unknown> };
}): Promise<{ status: 200; body: { results: DecisionResult[] } }> {
  const { decision, messages, reason = null, decided_by: decidedBy } = body;
  const by = decidedBy === undefined ? 'console' : 'management';
  const decided = { decision, reason, actor: toAuditActor(readManager(res)), by, decidedBy } as const;
  return { status: 200, body: { results: await decideApprovals(contextOf(res), messages, decided) } };
}

/** Handlers of links in mails about held messages, which need no session. */
export function approvalLinksRoutes(deps: Deps) {
  return defineRoutes(consoleContract.approvalLinks, {
    show: async ({ body }) => ({ status: 200, body: await showLinked(deps, body.token) }),
    decide: async ({ body, req, res }) => {
      const from = { address: req.ip ?? null, requestId: readRequestId(res as Response) };
      return { status: 200, body: await decideLinked(deps, { ...body, reason: body.reason ?? null }, from) };
    },
  });
}

/** Handlers of the control of sending. */
export const controlRoutes = defineRoutes(consoleContract.control, {
  get: async ({ res }) => ({ status: 200, body: await readControl(readManager(res)) }),
  setDisclosure: async ({ res, body: { disclosure } }) => {
    const member = readManager(res);
    await setDisclosure(member, member.workspaceId, disclosure, toAuditActor(member));
    return { status: 200, body: { disclosure } };
  },
  policies: async ({ res, query }) => {
    const { rows, nextCursor } = await listPolicies(readManager(res), query);
    return { status: 200, body: { policies: rows, next_cursor: nextCursor } };
  },
  effective: async ({ res, query: { inbox_id: inboxId = null, key_id: keyId = null } }) => {
    const member = readManager(res);
    const { workspaceId } = member;
    if (inboxId !== null) await requireSubject(member, { workspaceId, level: 'inbox', subjectId: inboxId });
    if (keyId !== null) await requireSubject(member, { workspaceId, level: 'key', subjectId: keyId });
    const key = keyId === null ? null : { id: keyId, scope: await scopeOfKey(member, keyId) };
    return { status: 200, body: await readKeyPolicy(member, inboxId, key) };
  },
  setPolicy: async ({ res, params: { level, id }, body }) => {
    const member = readManager(res);
    const place = { workspaceId: member.workspaceId, level, subjectId: id };
    const { lines, heldWebhooks } = await setPolicy(member, place, body.lines, toAuditActor(member));
    return { status: 200, body: { lines, held_webhooks: heldWebhooks } };
  },
  pause: async ({ res, body: { reason = null, ...body } }) => {
    const member = readManager(res);
    const { underWay } = await pause(member, toPlace(member, body), reason, toAuditActor(member));
    return { status: 200, body: { under_way: underWay } };
  },
  resume: async ({ res, body }) => {
    const member = readManager(res);
    return {
      status: 200,
      body: { resumed: await resume(member, toPlace(member, body), toAuditActor(member)) },
    };
  },
});

function toPlace<Level extends 'key' | 'inbox' | 'workspace'>(
  { workspaceId }: ManagerContext,
  { level, subject_id: subjectId }: { level: Level; subject_id: string },
) {
  return { workspaceId, level, subjectId };
}
