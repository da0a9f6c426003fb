import { contract, type ListRules, type Rule } from '@postrider/contract';
import type { Selectable } from 'kysely';
import { type Context, contextOf } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { isId } from '../lib/ids.ts';
import { defineRoutes } from '../routes.ts';
import { auditRule, createRule, type RuleRow, requireMayMakeKnown } from './create-rule.ts';

/** Handlers of `/lists`. */
export const rulesRoutes = defineRoutes(contract.rules, {
  create: async ({ body, res }) => {
    const { row, isNew } = await createRule(contextOf(res), body);
    return { status: isNew ? 201 : 200, body: viewRule(row) };
  },
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listRules(contextOf(res), query);
    return { status: 200, body: { rules: rows.map(viewRule), next_cursor: nextCursor } };
  },
  delete: async ({ params, res }) => {
    await deleteRule(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
});

/**
 * Removes a rule. From the next request and the next RCPT of any process on, it no longer applies.
 *
 * @throws ApiError `not_found`; `sending_not_allowed` and `owner_only` if a policy limits recipients, and a key or a member would lift a
 * block of some.
 */
async function deleteRule(ctx: Context, id: string): Promise<void> {
  if (!isId('rul', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const deleted = await scoped(tx)
      .deleteFrom('rules')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    if (deleted.kind === 'block' && deleted.direction !== 'inbound') await requireMayMakeKnown(tx);
    await auditRule(tx, 'deleted', deleted);
  });
}

/** Returns a page of the caller's rules, newest first. */
async function listRules(ctx: Context, query: ListRules): Promise<Page<RuleRow>> {
  let rows = scoped(ctx)
    .selectFrom('rules')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}

/** Returns a rule as the API shows it. */
function viewRule(row: Selectable<Tables['rules']>): Rule {
  return {
    id: row.id,
    kind: row.kind,
    direction: row.direction,
    pattern: row.pattern,
    created_at: row.created_at.toISOString(),
  };
}
