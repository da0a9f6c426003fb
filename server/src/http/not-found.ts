import type { RequestHandler } from 'express';
import { ApiError, notFound } from '../lib/api-error.ts';
import { routesAt } from './route-table.ts';

/** Responds to requests without a route: 405 if the path has other methods, else 404. */
export const refuseUnknown: RequestHandler = (req) => {
  const methods = routesAt(req.path).map(({ method }) => method);
  if (methods.length === 0) throw notFound(null);
  const allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  throw new ApiError('method_not_allowed', {}, { headers: { allow: allow.join(', ') } });
};
