import type { UpdateInbox } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { getInbox, type InboxRow } from './find-inbox.ts';

/**
 * Changes the given fields: the name that mail from the inbox carries, and its metadata as a whole.
 *
 * @throws ApiError `not_found`.
 */
export async function updateInbox(ctx: Context, id: string, input: UpdateInbox): Promise<InboxRow> {
  const inbox = await getInbox(ctx, id);
  const { display_name, metadata } = input;
  if (display_name === undefined && metadata === undefined) return inbox;
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
