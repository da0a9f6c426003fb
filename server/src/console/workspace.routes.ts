import { consoleContract } from '@postrider/contract/console';
import { listAudit } from '../audit/list-audit.ts';
import { exportPage } from '../audit/read-entries.ts';
import { verifyForPage } from '../audit/verify-audit.ts';
import { createApiKey, listApiKeys, listKeyWorks, revokeApiKey, updateApiKey } from '../keys/member-keys.ts';
import { invite, listInvitations, revokeInvitation } from '../people/invitations/invitations.ts';
import { listMembers, removeMember, setRole } from '../people/members.ts';
import { setTitle } from '../people/workspace-title.ts';
import { defineRoutes } from '../routes.ts';
import { cancelDeliveries } from '../webhooks/cancel-deliveries.ts';
import { memberOf } from './signed-in.ts';

/** Handlers of API keys. */
export const keysRoutes = defineRoutes(consoleContract.keys, {
  list: async ({ res, query }) => {
    const { rows, nextCursor } = await listApiKeys(memberOf(res), query);
    return { status: 200, body: { keys: rows, next_cursor: nextCursor } };
  },
  create: async ({ res, body }) => ({ status: 201, body: await createApiKey(memberOf(res), body) }),
  update: async ({ res, params, body }) => ({
    status: 200,
    body: await updateApiKey(memberOf(res), params.id, body),
  }),
  works: async ({ res, params }) => ({ status: 200, body: await listKeyWorks(memberOf(res), params.id) }),
  revoke: async ({ res, params, body }) => {
    const member = memberOf(res);
    const revoked = await revokeApiKey(member, params.id, body?.keep);
    if (!revoked.kept) for (const { id } of revoked.webhooks) await cancelDeliveries(member, id);
    return { status: 200, body: revoked };
  },
});

/** Handlers of members and invitations. */
export const peopleRoutes = defineRoutes(consoleContract.people, {
  members: async ({ res }) => ({ status: 200, body: { members: await listMembers(memberOf(res)) } }),
  setRole: async ({ res, params, body }) => ({
    status: 200,
    body: await setRole(memberOf(res), params.id, body.role),
  }),
  removeMember: async ({ res, params }) => {
    await removeMember(memberOf(res), params.id);
    return { status: 204, body: undefined };
  },
  invitations: async ({ res }) => ({
    status: 200,
    body: { invitations: await listInvitations(memberOf(res)) },
  }),
  invite: async ({ res, body }) => ({ status: 201, body: await invite(memberOf(res), body) }),
  revokeInvitation: async ({ res, params }) => {
    await revokeInvitation(memberOf(res), params.id);
    return { status: 204, body: undefined };
  },
});

/** Handlers of the workspace itself. */
export const workspaceRoutes = defineRoutes(consoleContract.workspace, {
  update: async ({ res, body }) => ({ status: 200, body: await setTitle(memberOf(res), body.title) }),
  audit: async ({ res, query }) => {
    const { rows, nextCursor } = await listAudit(memberOf(res), query);
    return { status: 200, body: { entries: rows, next_cursor: nextCursor } };
  },
  auditCheck: async ({ res }) => ({ status: 200, body: await verifyForPage(memberOf(res)) }),
  auditExport: async ({ res, query }) => ({
    status: 200,
    body: await exportPage(memberOf(res), query.after),
  }),
});
