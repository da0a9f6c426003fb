import type { ListRules } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';
import type { RuleRow } from './create-rule.ts';

/** Returns a page of the caller's rules, newest first. */
export async function listRules(ctx: Context, query: ListRules): Promise<Page<RuleRow>> {
  let rows = scoped(ctx)
    .selectFrom('rules')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}
