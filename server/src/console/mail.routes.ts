import { consoleContract } from '@postrider/contract/console';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { summariseInboxes } from '../threads/summarise-inboxes.ts';
import { summariseThreads } from '../threads/summarise-threads.ts';

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
