import { consoleContract } from '@postrider/contract/console';
import { scopeOfKey } from '../keys/authenticate.ts';
import type { MemberContext } from '../people/person-context.ts';
import { toAuditActor } from '../people/person-context.ts';
import { listPolicies } from '../policies/list-policies.ts';
import { pause, resume } from '../policies/pause.ts';
import { readControl } from '../policies/read-control.ts';
import { readPolicyOf } from '../policies/read-policy.ts';
import { setDisclosure } from '../policies/set-disclosure.ts';
import { requireSubject, setPolicy } from '../policies/set-policy.ts';
import { defineRoutes } from '../routes.ts';
import { memberOf } from './signed-in.ts';

/** Handlers of the control of sending. */
export const controlRoutes = defineRoutes(consoleContract.control, {
  get: async ({ res }) => ({ status: 200, body: await readControl(memberOf(res)) }),
  setDisclosure: async ({ res, body: { disclosure } }) => {
    const member = memberOf(res);
    await setDisclosure(member, member.workspaceId, disclosure, toAuditActor(member));
    return { status: 200, body: { disclosure } };
  },
  policies: async ({ res, query }) => {
    const { rows, nextCursor } = await listPolicies(memberOf(res), query);
    return { status: 200, body: { policies: rows, next_cursor: nextCursor } };
  },
  effective: async ({ res, query: { inbox_id: inboxId = null, key_id: keyId = null } }) => {
    const member = memberOf(res);
    const { workspaceId } = member;
    if (inboxId !== null) await requireSubject(member, { workspaceId, level: 'inbox', subjectId: inboxId });
    if (keyId !== null) await requireSubject(member, { workspaceId, level: 'key', subjectId: keyId });
    const key = keyId === null ? null : { id: keyId, scope: await scopeOfKey(member, keyId) };
    return { status: 200, body: await readPolicyOf(member, inboxId, key) };
  },
  setPolicy: async ({ res, params: { level, id }, body }) => {
    const member = memberOf(res);
    const place = { workspaceId: member.workspaceId, level, subjectId: id };
    const { lines, heldWebhooks } = await setPolicy(member, place, body.lines, toAuditActor(member));
    return { status: 200, body: { lines, held_webhooks: heldWebhooks } };
  },
  pause: async ({ res, body: { reason = null, ...body } }) => {
    const member = memberOf(res);
    const { underWay } = await pause(member, placeOf(member, body), reason, toAuditActor(member));
    return { status: 200, body: { under_way: underWay } };
  },
  resume: async ({ res, body }) => {
    const member = memberOf(res);
    return {
      status: 200,
      body: { resumed: await resume(member, placeOf(member, body), toAuditActor(member)) },
    };
  },
});

function placeOf<Level extends 'key' | 'inbox' | 'workspace'>(
  { workspaceId }: MemberContext,
  { level, subject_id: subjectId }: { level: Level; subject_id: string },
) {
  return { workspaceId, level, subjectId };
}
