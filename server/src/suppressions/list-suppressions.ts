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
  return pageOf(await rows.execute(), query.limit, (row) => [row.created_at.toISOString(), row.address]);
}
