import type { UpdateInbox } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { requireUnheld } from '../workspaces/require-unheld.ts';
import { getInbox, type InboxRow } from './find-inbox.ts';

/**
 * Changes the given fields: the name that mail from the inbox carries, and its metadata as a whole.
 *
 * @throws ApiError `not_found`, `sending_not_allowed` for the name if a policy holds the key.
 */
export async function updateInbox(ctx: Context, id: string, input: UpdateInbox): Promise<InboxRow> {
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
