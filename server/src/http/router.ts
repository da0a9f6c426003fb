import { asIssues, contract, isWithin, routeAccess } from '@postrider/contract';
import { consoleContract } from '@postrider/contract/console';
import { managementContract } from '@postrider/contract/management';
import type { AppRoute, AppRouter } from '@ts-rest/core';
import { createExpressEndpoints } from '@ts-rest/express';
import type { IRouter, RequestHandler } from 'express';
import { ZodObject } from 'zod';
import { accountRoutes } from '../accounts/account.routes.ts';
import { attachmentsRoutes } from '../attachments/attachments.routes.ts';
import { meRoutes, passkeysRoutes, sessionRoutes } from '../console/account.routes.ts';
import { approvalLinksRoutes, approvalsRoutes, controlRoutes } from '../console/control.routes.ts';
import { checkCaller } from '../console/signed-in.ts';
import {
  adminTokensRoutes,
  keysRoutes,
  mailRoutes,
  peopleRoutes,
  recordsRoutes,
  workspaceRoutes,
} from '../console/workspace.routes.ts';
import { contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { domainsRoutes } from '../domains/domains.routes.ts';
import { draftsRoutes } from '../drafts/drafts.routes.ts';
import { inboxesRoutes } from '../inboxes/inboxes.routes.ts';
import { labelsRoutes } from '../labels/labels.routes.ts';
import { ApiError } from '../lib/api-error.ts';
import { openCursor, sealCursor } from '../lib/cursor.ts';
import { requireRight } from '../management/token-door.ts';
import { workspacesRoutes } from '../management/workspaces.routes.ts';
import { messagesRoutes } from '../messages/messages.routes.ts';
import { policyRoutes } from '../policies/policy.routes.ts';
import { eventsRoutes } from '../realtime/events.routes.ts';
import { openStream } from '../realtime/open-stream.ts';
import type { SocketHub } from '../realtime/socket-hub.ts';
import { defineRoutes } from '../routes.ts';
import { rulesRoutes } from '../rules/rules.routes.ts';
import { suppressionsRoutes } from '../suppressions/suppressions.routes.ts';
import { threadsRoutes } from '../threads/threads.routes.ts';
import { deliveriesRoutes, webhooksRoutes } from '../webhooks/webhooks.routes.ts';
import { inOrder, type Step } from './begin-request.ts';
import { invalidRequest } from './errors.ts';

/** The API's table of contents: each resource of the contract with its handlers. */
const routes = defineRoutes(contract, {
  inboxes: inboxesRoutes,
  messages: messagesRoutes,
  threads: threadsRoutes,
  attachments: attachmentsRoutes,
  labels: labelsRoutes,
  rules: rulesRoutes,
  suppressions: suppressionsRoutes,
  drafts: draftsRoutes,
  domains: domainsRoutes,
  events: eventsRoutes,
  webhooks: webhooksRoutes,
  deliveries: deliveriesRoutes,
  account: accountRoutes,
  policy: policyRoutes,
});

/**
 * Mounts every route of the contract, each behind `before`, and the stream of events. In tests (`strict`) responses are checked against it,
 * too.
 */
export function mountRoutes(
  app: IRouter,
  options: { strict: boolean; hub: SocketHub },
  before: RequestHandler[] = [],
): void {
  app.get(contract.events.list.path, openStream(options.hub));
  createExpressEndpoints(contract, sealCursors(contract, routes), app, {
    globalMiddleware: [...before, inOrder(requireAccess, refuseUnknownQuery)] as never[],
    logInitialization: false,
    responseValidation: options.strict,
    requestValidationErrorHandler: (error, _req, _res, next) => next(invalidRequest(error)),
  });
}

/** Mounts the console's own routes. */
export function mountConsoleRoutes(app: IRouter, deps: Deps, options: { strict: boolean }): void {
  const handlers = defineRoutes(consoleContract, {
    session: sessionRoutes(deps),
    me: meRoutes,
    passkeys: passkeysRoutes(deps),
    keys: keysRoutes,
    adminTokens: adminTokensRoutes,
    people: peopleRoutes,
    workspace: workspaceRoutes,
    control: controlRoutes,
    records: recordsRoutes,
    mail: mailRoutes,
    approvals: approvalsRoutes,
    approvalLinks: approvalLinksRoutes(deps),
  });
  createExpressEndpoints(consoleContract, sealCursors(consoleContract, handlers), app, {
    // The types of ts-rest know no handler for routes with different responses.
    globalMiddleware: [checkCaller, inOrder(refuseUnknownQuery)] as never[],
    logInitialization: false,
    responseValidation: options.strict,
    requestValidationErrorHandler: (error, _req, _res, next) => next(invalidRequest(error)),
  });
}

/** Mounts the routes of the management API, which have the handlers of the console and of the API. */
export function mountManagementRoutes(app: IRouter, options: { strict: boolean }): void {
  const handlers = {
    keys: keysRoutes,
    control: controlRoutes,
    approvals: approvalsRoutes,
    people: peopleRoutes,
    webhooks: webhooksRoutes,
    domains: domainsRoutes,
    usage: { get: recordsRoutes.usage },
    workspace: { update: workspaceRoutes.update },
    workspaces: workspacesRoutes,
  } satisfies Record<keyof typeof managementContract, object>;
  // Types of ts-rest have the path of a route in the request of its handler, which is all that differs here.
  createExpressEndpoints(managementContract, sealCursors(managementContract, handlers) as never, app, {
    globalMiddleware: [inOrder(requireRight, refuseUnknownQuery)] as never[],
    logInitialization: false,
    responseValidation: options.strict,
    requestValidationErrorHandler: (error, _req, _res, next) => next(invalidRequest(error)),
  });
}

/** Refuses query parameters on routes that have none. The contract refuses unknown ones on the others. */
const refuseUnknownQuery: Step = (req) => {
  const { query } = (req as { tsRestRoute?: AppRoute }).tsRestRoute ?? {};
  const keys = query === undefined && req.url.includes('?') ? Object.keys(req.query) : [];
  if (keys.length === 0) return;
  throw new ApiError('invalid_request', {
    issues: asIssues([{ code: 'unrecognized_keys', message: '', keys }]),
  });
};

/**
 * Keeps keys that people have limited from routes that change more than they may. It decides by the route that was matched, because paths
 * can be spelt in several ways, and before anything is looked up, so that the answer is the same for all ids.
 */
const requireAccess: Step = (req, res) => {
  const { scope } = contextOf(res);
  const route = (req as unknown as { tsRestRoute: AppRoute }).tsRestRoute;
  if (isWithin(routeAccess(route), scope.access)) return;
  const what = scope.access === 'read' ? 'can only read' : 'is not allowed to make this change';
  const message = `This API key ${what}. Do not try again. Ask the people who run this workspace.`;
  throw new ApiError('sending_not_allowed', { at: 'key' }, { message });
};

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

/**
 * Parses a query into fields: a text each, or a list if a field is given twice. Names have no syntax, so brackets and the names of
 * JavaScript's own properties are unknown fields like any other.
 */
export function parseQuery(text: string | null): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (!text) return query;
  for (const [name, value] of new URLSearchParams(text)) {
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return query;
}
