import type { AppRoute, AppRouter } from '@ts-rest/core';
import { ZodObject } from 'zod';
import { contextOf } from '../context.ts';
import { openCursor, sealCursor } from '../lib/cursor.ts';

/** The input and the result of a list handler in ts-rest. */
type Handler = (request: Request) => Promise<Answer>;
type Request = {
  params: Record<string, string>;
  query: { cursor?: string };
  res: { locals: Record<string, unknown> };
};
type Answer = { body: { next_cursor: string | null } };

/**
 * Returns the handlers with the cursors of their lists signed or encrypted on the way out and checked on the way in. A cursor is valid
 * for its list, its path parameters and its workspace. Other filters may change between two pages.
 */
export function sealCursors<Routes extends object>(contract: AppRouter, routes: Routes): Routes {
  return mapHandlers(contract, routes, (handler, route) =>
    hasCursor(route) ? sealing(handler, route) : handler,
  );
}

function hasCursor({ query }: AppRoute): boolean {
  return query instanceof ZodObject && 'cursor' in query.shape;
}

function sealing(handler: Handler, route: AppRoute): Handler {
  return async (request) => {
    const { keys, workspaceId, scope } = contextOf(request.res);
    const list = JSON.stringify([workspaceId, route.path, request.params]);
    // A page may end at a message of an inbox that is out of scope, or depend on words of others.
    const isSecret = scope.inboxIds !== null;
    const { cursor } = request.query;
    const query =
      cursor === undefined
        ? request.query
        : { ...request.query, cursor: openCursor(keys, list, cursor, isSecret) };
    const answer = await handler({ ...request, query });
    const { next_cursor: next } = answer.body;
    if (next === null) return answer;
    return { ...answer, body: { ...answer.body, next_cursor: sealCursor(keys, list, next, isSecret) } };
  };
}

function mapHandlers<Routes extends object>(
  contract: AppRouter,
  routes: Routes,
  change: (handler: Handler, route: AppRoute) => Handler,
): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([name, value]) => [
      name,
      typeof value === 'function'
        ? change(value, contract[name] as AppRoute)
        : mapHandlers(contract[name] as AppRouter, value, change),
    ]),
  ) as Routes;
}
