import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { viewMessage } from '../messages/message.view.ts';
import { defineRoutes } from '../routes.ts';
import { listThreads, readThread } from './read-threads.ts';
import { viewThread } from './thread.view.ts';

/** Handlers of `/threads`. */
export const threadsRoutes = defineRoutes(contract.threads, {
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listThreads(contextOf(res), query);
    return {
      status: 200,
      body: { threads: rows.map(({ row, labels }) => viewThread(row, labels)), next_cursor: nextCursor },
    };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    const { row, labels, messages, truncated } = await readThread(ctx, params.id);
    const shown = messages.map((message) => viewMessage(ctx, message, 'cut'));
    return {
      status: 200,
      body: { ...viewThread(row, labels), messages: shown, messages_truncated: truncated },
    };
  },
});
