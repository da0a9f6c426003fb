import { issuesOf } from '@postrider/contract';
import type { AppRoute } from '@ts-rest/core';
import type { RequestHandler } from 'express';
import { ApiError } from '../lib/api-error.ts';

/** Refuses query parameters on routes that have none. The contract refuses unknown ones on the others. */
export const refuseUnknownQuery: RequestHandler = (req, _res, next) => {
  const { query } = (req as { tsRestRoute?: AppRoute }).tsRestRoute ?? {};
  const keys = query === undefined ? Object.keys(req.query) : [];
  if (keys.length === 0) return next();
  throw new ApiError('invalid_request', {
    issues: issuesOf([{ code: 'unrecognized_keys', message: '', keys }]),
  });
};
