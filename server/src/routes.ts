import { initServer } from '@ts-rest/express';
import type { Response } from 'express';

/**
 * Types the handlers of one resource by its part of the contract. This file and `http/router.ts` are the only ones of the
 * server that know ts-rest.
 */
export const defineRoutes = initServer().router;

/** Aborted when the client goes away before its answer. */
export const clientGone = (res: Response): AbortSignal => {
  const controller = new AbortController();
  res.once('close', () => controller.abort('the client has its answer or is gone'));
  return controller.signal;
};
