import { consoleContract } from '@postrider/contract/console';
import { examineForOwners } from '../admin/doctor/examine-for-owners.ts';
import { contextOf } from '../context.ts';
import { writeZoneFile } from '../domains/domain.view.ts';
import { getDomain } from '../domains/find-domain.ts';
import { listDecisions, viewDecision } from '../inbound/list-decisions.ts';
import { listPastEvents } from '../realtime/list-past-events.ts';
import { listRequests, viewRequest } from '../request-log/list-requests.ts';
import { defineRoutes } from '../routes.ts';
import { showDeliveryBody } from '../webhooks/show-delivery-body.ts';
import { readUsageDays } from '../workspaces/read-usage-days.ts';

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
