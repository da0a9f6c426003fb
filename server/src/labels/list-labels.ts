import type { ListLabels } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { labelNameKey } from '../lib/label-name.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { LabelRow } from '../messages/insert-label.ts';

/** Returns a page of the caller's labels, by name. If the query has a name, the page has only the label with this name. */
export async function listLabels(ctx: Context, query: ListLabels): Promise<Page<LabelRow>> {
  let rows = scoped(ctx)
    .selectFrom('labels')
    .selectAll()
    .orderBy('name_key')
    .limit(query.limit + 1);
  if (query.name !== undefined) rows = rows.where('name_key', '=', labelNameKey(query.name));
  if (query.cursor) rows = rows.where('name_key', '>', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.name_key]);
}
