import type { ListDomains } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { DomainRow } from './find-domain.ts';

/** Returns a page of the caller's domains, newest first. */
export async function listDomains(ctx: Context, query: ListDomains): Promise<Page<DomainRow>> {
  let rows = scoped(ctx)
    .selectFrom('domains')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}
