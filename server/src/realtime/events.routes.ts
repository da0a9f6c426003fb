import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { clientGone } from '../lib/concurrency/client-gone.ts';
import { defineRoutes } from '../routes.ts';
import { listEvents } from './list-events.ts';

/** Handlers of `/events`. */
export const eventsRoutes = defineRoutes(contract.events, {
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    const page = await listEvents(ctx, query, clientGone(res));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: page };
  },
});
