import { consoleContract } from '@postrider/contract/console';
import { examineForOwners, requireFirstWorkspace } from '../admin/doctor/examine-for-owners.ts';
import { listTokens } from '../admin-tokens/admin-token.view.ts';
import { createToken, revokeToken } from '../admin-tokens/manage-tokens.ts';
import { exportPage, listAudit } from '../audit/read-entries.ts';
import { verifyForPage } from '../audit/verify-audit.ts';
import { contextOf } from '../context.ts';
import { writeZoneFile } from '../domains/domain.view.ts';
import { getDomain } from '../domains/find-domain.ts';
import { listDecisions, viewDecision } from '../inbound/list-decisions.ts';
import { listUnknownRecipients } from '../inbound/list-unknown-recipients.ts';
import { createApiKey, listApiKeys, listKeyWorks, revokeApiKey, updateApiKey } from '../keys/member-keys.ts';
import { invite, listInvitations, revokeInvitation } from '../people/invitations/invitations.ts';
import { listMembers, removeMember, setRole } from '../people/members.ts';
import { setTitle } from '../people/workspace-title.ts';
import { listPastEvents } from '../realtime/list-events.ts';
import { listRequests, viewRequest } from '../request-log/list-requests.ts';
import { defineRoutes } from '../routes.ts';
import { summariseInboxes, summariseThreads } from '../threads/summarise-threads.ts';
import { showDeliveryBody } from '../webhooks/delivery-body.ts';
import { cancelDeliveries } from '../webhooks/end-deliveries.ts';
import { readUsageDays } from '../workspaces/usage-days.ts';
import { readManager, signedInMember } from './signed-in.ts';

/** Handlers of API keys. */
export const keysRoutes = defineRoutes(consoleContract.keys, {
  list: async ({ res, query }) => {
    const { rows, nextCursor } = await listApiKeys(readManager(res), query);
    return { status: 200, body: { keys: rows, next_cursor: nextCursor } };
  },
  create: async ({ res, body }) => ({ status: 201, body: await createApiKey(readManager(res), body) }),
  update: async ({ res, params, body }) => ({
    status: 200,
    body: await updateApiKey(readManager(res), params.id, body),
  }),
  works: async ({ res, params }) => ({
    status: 200,
    body: await listKeyWorks(readManager(res), params.id),
  }),
  revoke: async ({ res, params, body }) => {
    const member = readManager(res);
    const revoked = await revokeApiKey(member, params.id, body?.keep);
    if (!revoked.kept) for (const { id } of revoked.webhooks) await cancelDeliveries(member, id);
    return { status: 200, body: revoked };
  },
});

/** Handlers of admin tokens, which owners make while they are signed in. */
export const adminTokensRoutes = defineRoutes(consoleContract.adminTokens, {
  list: async ({ res, query }) => {
    const { rows, nextCursor } = await listTokens(signedInMember(res), query);
    return { status: 200, body: { admin_tokens: rows, next_cursor: nextCursor } };
  },
  create: async ({ res, body }) => ({ status: 201, body: await createToken(signedInMember(res), body) }),
  revoke: async ({ res, params }) => ({
    status: 200,
    body: await revokeToken(signedInMember(res), params.id),
  }),
});

/** Handlers of members and invitations. */
export const peopleRoutes = defineRoutes(consoleContract.people, {
  members: async ({ res }) => ({ status: 200, body: { members: await listMembers(readManager(res)) } }),
  setRole: async ({ res, params, body }) => ({
    status: 200,
    body: await setRole(readManager(res), params.id, body.role),
  }),
  removeMember: async ({ res, params }) => {
    await removeMember(readManager(res), params.id);
    return { status: 204, body: undefined };
  },
  invitations: async ({ res }) => ({
    status: 200,
    body: { invitations: await listInvitations(readManager(res)) },
  }),
  invite: async ({ res, body }) => ({ status: 201, body: await invite(readManager(res), body) }),
  revokeInvitation: async ({ res, params }) => {
    await revokeInvitation(readManager(res), params.id);
    return { status: 204, body: undefined };
  },
});

/** Handlers of the workspace itself. */
export const workspaceRoutes = defineRoutes(consoleContract.workspace, {
  update: async ({ res, body }) => ({ status: 200, body: await setTitle(readManager(res), body.title) }),
  audit: async ({ res, query }) => {
    const { rows, nextCursor } = await listAudit(readManager(res), query);
    return { status: 200, body: { entries: rows, next_cursor: nextCursor } };
  },
  auditCheck: async ({ res }) => ({ status: 200, body: await verifyForPage(readManager(res)) }),
  auditExport: async ({ res, query }) => ({
    status: 200,
    body: await exportPage(readManager(res), query.after),
  }),
});

/** Handlers of what developers look up in the console. */
export const recordsRoutes = defineRoutes(consoleContract.records, {
  requests: async ({ query, res }) => {
    const { rows, nextCursor } = await listRequests(contextOf(res), query);
    return { status: 200, body: { requests: rows.map(viewRequest), next_cursor: nextCursor } };
  },
  events: async ({ query, res }) => {
    const { events, nextCursor } = await listPastEvents(contextOf(res), query);
    return { status: 200, body: { events, next_cursor: nextCursor } };
  },
  decisions: async ({ query, res }) => {
    const { rows, nextCursor } = await listDecisions(contextOf(res), query);
    return { status: 200, body: { decisions: rows.map(viewDecision), next_cursor: nextCursor } };
  },
  unknownRecipients: async ({ query, res }) => {
    const ctx = contextOf(res);
    await requireFirstWorkspace(ctx);
    const { rows, nextCursor } = await listUnknownRecipients(ctx, query);
    return { status: 200, body: { decisions: rows.map(viewDecision), next_cursor: nextCursor } };
  },
  deliveryBody: async ({ params, res }) => {
    return { status: 200, body: { body: await showDeliveryBody(contextOf(res), params.id) } };
  },
  usage: async ({ query, res }) => {
    return { status: 200, body: { days: await readUsageDays(contextOf(res), query.days) } };
  },
  zoneFile: async ({ params, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: { text: writeZoneFile(ctx, await getDomain(ctx, params.id)) } };
  },
  doctor: async ({ res }) => {
    return { status: 200, body: await examineForOwners(contextOf(res)) };
  },
});

/** Handlers of the lists of mail. */
export const mailRoutes = defineRoutes(consoleContract.mail, {
  inboxes: async ({ query, res }) => {
    const { rows, nextCursor } = await summariseInboxes(contextOf(res), query);
    return { status: 200, body: { inboxes: rows, next_cursor: nextCursor } };
  },
  threads: async ({ query, res }) => {
    const { rows, nextCursor } = await summariseThreads(contextOf(res), query);
    return { status: 200, body: { threads: rows, next_cursor: nextCursor } };
  },
});
