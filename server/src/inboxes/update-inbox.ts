import type { UpdateInbox } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { getInbox, type InboxRow } from './find-inbox.ts';

/**
 * Changes the name that mail from the inbox carries.
 *
 * @throws ApiError `not_found`.
 */
export const updateInbox = async (ctx: Context, id: string, input: UpdateInbox): Promise<InboxRow> => {
  const inbox = await getInbox(ctx, id);
  if (input.display_name === undefined) return inbox;
  const updated = await scoped(ctx)
    .updateTable('inboxes')
    .set({ display_name: input.display_name })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!updated) throw new ApiError('not_found');
  return updated;
};
