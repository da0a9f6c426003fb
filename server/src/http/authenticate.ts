import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { authenticate } from '../keys/authenticate.ts';
import { createKeyGate } from './key-gate.ts';
import { readRights } from './renew-rights.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Puts the caller's context on the response, or responds with 401 before the body is read. `renewRights` does so again after a slow body.
 */
export function requireCaller(deps: Deps): RequestHandler {
  const gateFor = createKeyGate();
  return async (req, res, next) => {
    const gate = gateFor(() => req.ip ?? '');
    await readRights(res, async () => {
      const caller = await authenticate(deps, req.headers.authorization, gate);
      const context: Context = {
        ...deps,
        ...caller,
        requestId: requestIdOf(res),
        clientAddress: req.ip ?? null,
      };
      res.locals.context = context;
    });
    next();
  };
}
