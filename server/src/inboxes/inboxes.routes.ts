import { contract, type UpdateInbox } from '@postrider/contract';
import { type Context, contextOf } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { defineRoutes } from '../routes.ts';
import { createInbox } from './create-inbox.ts';
import { deleteInbox } from './delete-inbox.ts';
import { getInbox, type InboxRow } from './find-inbox.ts';
import { listInboxes, viewInbox } from './list-inboxes.ts';

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

/**
 * Changes the given fields: the name that mail from the inbox carries, and its metadata as a whole.
 *
 * @throws ApiError `not_found`, `sending_not_allowed` for the name if a policy holds the key.
 */
async function updateInbox(ctx: Context, id: string, input: UpdateInbox): Promise<InboxRow> {
  const inbox = await getInbox(ctx, id);
  const { display_name, metadata } = input;
  if (display_name === undefined && metadata === undefined) return inbox;
  // Mail that others send carries the name, and nobody approves that.
  if (display_name !== undefined && display_name !== inbox.display_name) await requireUnheld(ctx);
  const updated = await scoped(ctx)
    .updateTable('inboxes')
    .set({
      ...(display_name !== undefined && { display_name }),
      ...(metadata !== undefined && { metadata }),
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!updated) throw notFound('id');
  return updated;
}
