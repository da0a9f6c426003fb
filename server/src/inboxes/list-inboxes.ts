import type { ListInboxes } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { InboxRow } from './find-inbox.ts';

/** A page of the caller's inboxes, newest first. */
export const listInboxes = async (ctx: Context, query: ListInboxes): Promise<Page<InboxRow>> => {
  let rows = scoped(ctx)
    .selectFrom('inboxes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
};
