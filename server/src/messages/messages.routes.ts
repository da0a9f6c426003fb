import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { clientGone } from '../lib/concurrency/client-gone.ts';
import { checkMessage } from '../outbound/check-message.ts';
import { forwardMessage } from '../outbound/forward-message.ts';
import { replyToMessage } from '../outbound/reply-to-message.ts';
import { sendMessage } from '../outbound/send-message.ts';
import { viewReceipt, viewSent } from '../outbound/sent-message.view.ts';
import { defineRoutes } from '../routes.ts';
import { searchMessages } from '../search/query/search-messages.ts';
import { viewSearch } from '../search/query/search-page.view.ts';
import { deleteMessage } from './delete-message.ts';
import { listMessages } from './list-messages.ts';
import { viewMessage, viewPage } from './message.view.ts';
import { readMessage } from './message-details.ts';
import { linkToRaw } from './raw-link.ts';
import { updateMessage } from './update-message.ts';

/** Handlers of `/messages`. */
export const messagesRoutes = defineRoutes(contract.messages, {
  send: async ({ body, res }) => viewReceipt(await sendMessage(contextOf(res), body)),
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    if (query.query !== undefined) {
      const found = await searchMessages(ctx, { ...query, query: query.query }, clientGone(res));
      ctx.readLimiter.untilTaken(ctx.workspaceId, res);
      return { status: 200, body: await viewSearch(ctx, found) };
    }
    const page = await listMessages(ctx, query, clientGone(res));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: { ...(await viewPage(ctx, page)), mode_used: 'recent' } };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    const message = await ctx.readLimiter.run(ctx.workspaceId, () => readMessage(ctx, params.id));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: viewMessage(ctx, message, 'whole') };
  },
  update: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewMessage(ctx, await updateMessage(ctx, params.id, body), 'whole') };
  },
  delete: async ({ params, res }) => {
    await deleteMessage(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  reply: async ({ params, body, res }) =>
    viewSent(contextOf(res), await replyToMessage(contextOf(res), params.id, body)),
  forward: async ({ params, body, res }) =>
    viewSent(contextOf(res), await forwardMessage(contextOf(res), params.id, body)),
  raw: async ({ params, res }) => ({ status: 200, body: await linkToRaw(contextOf(res), params.id) }),
  check: async ({ body, res }) => ({ status: 200, body: await checkMessage(contextOf(res), body) }),
});
