import type { ListInboxes } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { InboxRow } from './find-inbox.ts';

/** A page of the caller's inboxes, newest first; with an address the one that has it. */
export const listInboxes = async (ctx: Context, query: ListInboxes): Promise<Page<InboxRow>> => {
  let rows = scoped(ctx)
    .selectFrom('inboxes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.address !== undefined) rows = rows.where('id', 'in', inboxWith(ctx, query.address));
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
};

const inboxWith = (ctx: Context, address: string) =>
  scoped(ctx)
    .selectFrom('addresses')
    .select('inbox_id')
    .where('address', '=', normalizeAddress(address) ?? '')
    .where('held_until', 'is', null);
