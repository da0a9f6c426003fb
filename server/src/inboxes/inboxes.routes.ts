import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { createInbox } from './create-inbox.ts';
import { deleteInbox } from './delete-inbox.ts';
import { getInbox } from './find-inbox.ts';
import { viewInbox } from './inbox.view.ts';
import { listInboxes } from './list-inboxes.ts';
import { updateInbox } from './update-inbox.ts';

/** Handlers of `/inboxes`. */
export const inboxesRoutes = defineRoutes(contract.inboxes, {
  create: async ({ body, res }) => ({
    status: 201,
    body: viewInbox(await createInbox(contextOf(res), body)),
  }),
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listInboxes(contextOf(res), query);
    return { status: 200, body: { inboxes: rows.map(viewInbox), next_cursor: nextCursor } };
  },
  get: async ({ params, res }) => ({
    status: 200,
    body: viewInbox(await getInbox(contextOf(res), params.id)),
  }),
  update: async ({ params, body, res }) => ({
    status: 200,
    body: viewInbox(await updateInbox(contextOf(res), params.id, body)),
  }),
  delete: async ({ params, res }) => {
    await deleteInbox(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
});
