import { contract, listRoutes } from '@postrider/contract';
import { ownerOnlyApiRoutes } from '@postrider/contract/console';
import type { AppRoute } from '@ts-rest/core';
import type { RequestHandler } from 'express';
import { ApiError } from '../lib/api-error.ts';
import { memberOf } from './signed-in.ts';

const forOwners = new Set(
  listRoutes(contract)
    .filter(({ name }) => (ownerOnlyApiRoutes as readonly string[]).includes(name))
    .map(({ route }) => route),
);

/**
 * Keeps members from the routes of the API that only owners may call. It decides by the route that was matched, because paths can be
 * spelt in several ways.
 */
export const checkOwner: RequestHandler = (req, res, next) => {
  const isForOwners = forOwners.has((req as unknown as { tsRestRoute: AppRoute }).tsRestRoute);
  if (isForOwners && memberOf(res).role !== 'owner') throw new ApiError('owner_only');
  next();
};
