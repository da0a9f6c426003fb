import type { RequestHandler } from 'express';
import { type Context, contextOf } from '../context.ts';
import { onBehalfOf } from '../db/fair-connections.ts';
import type { Deps } from '../deps.ts';
import { whenClosed } from '../lib/concurrency/when-closed.ts';
import { authenticate } from '../workspaces/authenticate.ts';
import { ownerOf } from '../workspaces/plan.ts';
import { createKeyGate } from './key-gate.ts';
import { readRights } from './renew-rights.ts';
import { requestIdOf } from './request-id.ts';

/** How long work for a client that left still counts for its workspace. */
const workAfterLeavingMs = 30_000;

/** Puts the caller's context on the response, or responds with 401 before the body is read. `renewRights` does so again after a slow body. */
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
    // Only the single connection of the embedded database is shared out by workspace.
    if (deps.database.kind === 'postgres') return next();
    const handled = () =>
      new Promise<void>((resolve) => {
        whenClosed(res, () => {
          // If the client left, its handler may still be working.
          if (res.writableFinished) resolve();
          else setTimeout(resolve, workAfterLeavingMs).unref();
        });
        next();
      });
    // Errors that the next handler throws at once are handled as usual.
    onBehalfOf(ownerOf(contextOf(res)), handled).catch(next);
  };
}
