import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { deleteThread } from './delete-thread.ts';
import { listThreads, readThread } from './read-threads.ts';
import { searchThreads } from './search-threads.ts';
import { viewFoundThreads, viewThreads, viewWithMessages } from './thread.view.ts';

/** Handlers of `/threads`. */
export const threadsRoutes = defineRoutes(contract.threads, {
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    if (query.query !== undefined) {
      const found = await searchThreads(ctx, { ...query, query: query.query });
      ctx.readLimiter.untilTaken(ctx.workspaceId, res);
      return { status: 200, body: await viewFoundThreads(ctx, found) };
    }
    return {
      status: 200,
      body: { ...(await viewThreads(await listThreads(ctx, query))), mode_used: 'recent' },
    };
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
