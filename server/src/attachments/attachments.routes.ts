import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { viewAttachment } from './attachment.view.ts';
import { getAttachment } from './find-attachment.ts';

/** Handlers of `/attachments`. */
export const attachmentsRoutes = defineRoutes(contract.attachments, {
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewAttachment(ctx, await getAttachment(ctx, params.id)) };
  },
});
