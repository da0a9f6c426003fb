import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { viewMessage } from '../messages/message.view.ts';
import { defineRoutes } from '../routes.ts';
import { assignLabel, unassignLabel } from './assign-label.ts';
import { createLabel } from './create-label.ts';
import { deleteLabel } from './delete-label.ts';
import { viewLabel } from './label.view.ts';
import { listLabels } from './list-labels.ts';

/** Handlers of `/labels`. */
export const labelsRoutes = defineRoutes(contract.labels, {
  create: async ({ body, res }) => ({
    status: 201,
    body: viewLabel(await createLabel(contextOf(res), body)),
  }),
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listLabels(contextOf(res), query);
    return { status: 200, body: { labels: rows.map(viewLabel), next_cursor: nextCursor } };
  },
  delete: async ({ params, res }) => {
    await deleteLabel(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  assign: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    const message = await assignLabel(ctx, params.id, body.message_id);
    return { status: 200, body: viewMessage(ctx, message, 'whole') };
  },
  unassign: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    const message = await unassignLabel(ctx, params.id, body.message_id);
    return { status: 200, body: viewMessage(ctx, message, 'whole') };
  },
});
