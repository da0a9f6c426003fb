import { contract, listRoutes, pathPrefix, realtimePath } from '@postrider/contract';
import { consoleContract } from '@postrider/contract/console';
import { managementContract } from '@postrider/contract/management';
import type { RequestHandler } from 'express';
import { ApiError, notFound } from '../lib/api-error.ts';

const table = [
  { method: 'GET', path: pathPrefix + realtimePath },
  ...listRoutes(contract).map(({ route }) => route),
  ...listRoutes(consoleContract).map(({ route }) => route),
  ...listRoutes(managementContract).map(({ route }) => route),
].map(({ method, path }) => ({ method, path, pattern: pathPattern(path) }));

/** Returns the routes of the API with this path, one for each method, such as `/v1/inboxes/:id`. */
export function routesAt(path: string): { method: string; path: string }[] {
  return table.filter(({ pattern }) => pattern.test(path));
}

/** Responds to requests without a route: 405 if the path has other methods, else 404. */
export const refuseUnknown: RequestHandler = (req) => {
  const methods = routesAt(req.path).map(({ method }) => method);
  if (methods.length === 0) throw notFound(null);
  const allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  throw new ApiError('method_not_allowed', {}, { headers: { allow: allow.join(', ') } });
};

/** Matches the paths of a route of the contract, such as `/v1/messages/:id/reply`, in upper or lower case as Express does. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i');
}
