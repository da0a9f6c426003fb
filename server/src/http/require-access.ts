import { accessOf, isWithin } from '@postrider/contract';
import type { AppRoute } from '@ts-rest/core';
import type { RequestHandler } from 'express';
import { contextOf } from '../context.ts';
import { ApiError } from '../lib/api-error.ts';

/**
 * Keeps keys that people have limited from routes that change more than they may. It decides by the route that was matched, because paths
 * can be spelt in several ways, and before anything is looked up, so that the answer is the same for all ids.
 */
export const requireAccess: RequestHandler = (req, res, next) => {
  const { scope } = contextOf(res);
  const route = (req as unknown as { tsRestRoute: AppRoute }).tsRestRoute;
  if (isWithin(accessOf(route), scope.access)) return next();
  const what = scope.access === 'read' ? 'may only read' : 'may not change this';
  const message = `This API key ${what}. Do not try again: ask the people who run this workspace.`;
  throw new ApiError('sending_not_allowed', { at: 'key' }, { message });
};
