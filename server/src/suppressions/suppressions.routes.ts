import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { createSuppression } from './create-suppression.ts';
import { deleteSuppression } from './delete-suppression.ts';
import { listSuppressions } from './list-suppressions.ts';
import { viewSuppression } from './suppression.view.ts';

/** Handlers of `/suppressions`. */
export const suppressionsRoutes = defineRoutes(contract.suppressions, {
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listSuppressions(contextOf(res), query);
    return { status: 200, body: { suppressions: rows.map(viewSuppression), next_cursor: nextCursor } };
  },
  create: async ({ body, res }) => {
    const { row, isNew } = await createSuppression(contextOf(res), body);
    return { status: isNew ? 201 : 200, body: viewSuppression(row) };
  },
  delete: async ({ params, res }) => {
    await deleteSuppression(contextOf(res), params.address);
    return { status: 204, body: undefined };
  },
});
