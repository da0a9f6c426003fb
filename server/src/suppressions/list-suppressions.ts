import type { ListSuppressions } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeTimeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { SuppressionRow } from './suppression.view.ts';

/** Returns a page of the addresses that the caller's workspace does not send to, newest first. */
export async function listSuppressions(ctx: Context, query: ListSuppressions): Promise<Page<SuppressionRow>> {
  let rows = scoped(ctx)
    .selectFrom('suppressions')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('address', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) {
    const { at, key } = decodeTimeCursor(query.cursor);
    rows = rows.where(sql<boolean>`(created_at, address) < (${at}, ${key})`);
  }
  const found = await withOwnMessages(ctx, await rows.execute());
  return pageOf(found, query.limit, (row) => [row.created_at.toISOString(), row.address]);
}

/** Returns suppressions without the ids of messages that are out of the caller's scope. */
async function withOwnMessages(ctx: Context, rows: SuppressionRow[]): Promise<SuppressionRow[]> {
  const ids = rows.flatMap(({ message_id }) => message_id ?? []);
  if (ctx.scope.inboxIds === null || ids.length === 0) return rows;
  const own = await scoped(ctx).selectFrom('messages').select('id').where('id', 'in', ids).execute();
  const isOwn = new Set<string | null>(own.map(({ id }) => id));
  return rows.map((row) => ({ ...row, message_id: isOwn.has(row.message_id) ? row.message_id : null }));
}
