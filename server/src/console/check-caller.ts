import { listRoutes } from '@postrider/contract';
import { consoleContract, isOwnerOnly } from '@postrider/contract/console';
import type { AppRoute } from '@ts-rest/core';
import type { RequestHandler } from 'express';
import { ApiError } from '../lib/api-error.ts';
import { memberOf } from './signed-in.ts';

/** Routes about people or links and not about a workspace. Their handlers ask for the person themselves. */
const personal = ['session', 'me', 'passkeys', 'approvalLinks'];
const ofWorkspace = new Map(
  listRoutes(consoleContract)
    .filter(({ resource }) => !personal.includes(resource))
    .map(({ route }) => [route, isOwnerOnly(route)]),
);

/** Checks, before the handler, whether the caller may call one of the console's own routes. */
export const checkCaller: RequestHandler = (req, res, next) => {
  const isForOwners = ofWorkspace.get((req as unknown as { tsRestRoute: AppRoute }).tsRestRoute);
  if (isForOwners === undefined) return next();
  if (memberOf(res).role !== 'owner' && isForOwners) throw new ApiError('owner_only');
  next();
};
