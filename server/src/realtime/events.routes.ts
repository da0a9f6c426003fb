import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { clientGone, defineRoutes } from '../routes.ts';
import { listEvents } from './list-events.ts';

/** Handlers of `/events`. */
export const eventsRoutes = defineRoutes(contract.events, {
  list: async ({ query, res }) => ({
    status: 200,
    body: await listEvents(contextOf(res), query, clientGone(res)),
  }),
});
