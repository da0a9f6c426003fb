import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { createRule } from './create-rule.ts';
import { deleteRule } from './delete-rule.ts';
import { listRules } from './list-rules.ts';
import { viewRule } from './rule.view.ts';

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
