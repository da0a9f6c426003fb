import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { viewReceipt } from '../outbound/sent-message.view.ts';
import { defineRoutes } from '../routes.ts';
import { createDraft } from './create-draft.ts';
import { deleteDraft } from './delete-draft.ts';
import { viewDraft, viewDrafts } from './draft.view.ts';
import { listDrafts } from './list-drafts.ts';
import { sendDraft } from './send-draft.ts';
import { readDraft } from './shown-files.ts';
import { updateDraft } from './update-draft.ts';

/** Handlers of `/drafts`. */
export const draftsRoutes = defineRoutes(contract.drafts, {
  create: async ({ body, res }) => {
    const ctx = contextOf(res);
    return { status: 201, body: viewDraft(ctx, await createDraft(ctx, body)) };
  },
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    const page = await ctx.readLimiter.run(ctx.workspaceId, () => listDrafts(ctx, query));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: await viewDrafts(ctx, page) };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    const draft = await ctx.readLimiter.run(ctx.workspaceId, () => readDraft(ctx, params.id));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: viewDraft(ctx, draft) };
  },
  update: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewDraft(ctx, await updateDraft(ctx, params.id, body)) };
  },
  delete: async ({ params, res }) => {
    await deleteDraft(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  send: async ({ params, body, res }) => viewReceipt(await sendDraft(contextOf(res), params.id, body)),
});
