import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { deleteThread } from './delete-thread.ts';
import { listThreads, readThread } from './read-threads.ts';
import { viewThreads, viewWithMessages } from './thread.view.ts';

/** Handlers of `/threads`. */
export const threadsRoutes = defineRoutes(contract.threads, {
  list: async ({ query, res }) => {
    return { status: 200, body: await viewThreads(await listThreads(contextOf(res), query)) };
  },
  delete: async ({ params, res }) => {
    await deleteThread(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    const thread = await readThread(ctx, params.id);
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: await viewWithMessages(ctx, thread) };
  },
});
