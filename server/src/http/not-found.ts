import { contract, listRoutes, pathPrefix, realtimePath } from '@postrider/contract';
import type { RequestHandler } from 'express';
import { ApiError, notFound } from '../lib/api-error.ts';
import { pathPattern } from './path-pattern.ts';

const routes = [
  { method: 'GET', path: pathPrefix + realtimePath },
  ...listRoutes(contract).map(({ route }) => route),
].map(({ method, path }) => ({ method, pattern: pathPattern(path) }));

/** Answers what no route took: 405 where the path has other methods, else 404. */
export const refuseUnknown: RequestHandler = (req) => {
  const methods = routes.filter((route) => route.pattern.test(req.path)).map((route) => route.method);
  if (methods.length === 0) throw notFound(null);
  const allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  throw new ApiError('method_not_allowed', {}, { headers: { allow: allow.join(', ') } });
};
