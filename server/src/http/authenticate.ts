import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { onBehalfOf } from '../db/fair-connections.ts';
import type { Deps } from '../deps.ts';
import { whenClosed } from '../lib/concurrency/when-closed.ts';
import { authenticate } from '../workspaces/authenticate.ts';
import { ownerOf } from '../workspaces/plan.ts';
import { createKeyGate } from './key-gate.ts';
import { requestIdOf } from './request-id.ts';

/** How long what was begun for a client that left counts for its workspace. */
const workAfterLeavingMs = 30_000;

/** Puts the caller's context on the answer, or answers 401 before a byte of the body is read. */
export const requireCaller = (deps: Deps): RequestHandler => {
  const gateFor = deps.config.rateLimits ? createKeyGate() : null;
  return async (req, res, next) => {
    const gate = gateFor?.(() => req.ip ?? '');
    const caller = await authenticate(deps, req.headers.authorization, gate);
    const context: Context = { ...deps, ...caller, requestId: requestIdOf(res) };
    res.locals.context = context;
    // Only the one connection of the embedded database is shared out by who asks.
    if (deps.database.kind === 'postgres') return next();
    const handled = () =>
      new Promise<void>((resolve) => {
        whenClosed(res, () => {
          // The client left, and its handler may still be at work.
          if (res.writableFinished) resolve();
          else setTimeout(resolve, workAfterLeavingMs).unref();
        });
        next();
      });
    // What the next handler throws at once is answered as ever.
    onBehalfOf(ownerOf(context), handled).catch(next);
  };
};
