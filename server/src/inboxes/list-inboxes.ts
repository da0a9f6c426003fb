import type { Inbox, ListInboxes } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import type { InboxRow } from './find-inbox.ts';

/** Returns a page of the caller's inboxes, newest first. If the query has an address, the page has only the inbox with this address. */
export async function listInboxes(ctx: Context, query: ListInboxes): Promise<Page<InboxRow>> {
  let rows = scoped(ctx)
    .selectFrom('inboxes')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.address !== undefined) rows = rows.where('id', 'in', inboxWith(ctx, query.address));
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}

function inboxWith(ctx: Context, address: string) {
  return scoped(ctx)
    .selectFrom('addresses')
    .select('inbox_id')
    .where('address', '=', normalizeAddress(address) ?? '')
    .where('held_until', 'is', null);
}

/** Returns an inbox as the API shows it. */
export function viewInbox(row: Selectable<Tables['inboxes']>): Inbox {
  return {
    id: row.id,
    local_part: row.local_part,
    display_name: row.display_name,
    domain_id: row.domain_id,
    address: row.address,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
  };
}
