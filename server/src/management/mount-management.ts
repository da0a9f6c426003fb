import { managementPath } from '@postrider/contract/management';
import type { Express, RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { inOrder } from '../http/begin-request.ts';
import { type BodyReader, readJson } from '../http/bodies/json-body.ts';
import { limitRequests, limitUnread, renewRights } from '../http/callers.ts';
import { mountManagementRoutes } from '../http/router.ts';
import { notFound } from '../lib/api-error.ts';
import { requireToken } from './token-door.ts';

/** The needs of the management API, in addition to the parts of the server. */
interface ManagementOptions {
  strict: boolean;
  bodies: BodyReader;
  processCount(): number;
}

/**
 * Mounts the management API. Its rates are those of the plan, counted separately from those of keys: people use it to stop a busy agent, so
 * they must not wait behind the requests that they stop.
 */
export function mountManagement(app: Express, deps: Deps, options: ManagementOptions): void {
  if (!deps.config.management) return void app.use(managementPath, refuseAll);
  app.use(
    managementPath,
    inOrder(
      requireToken(deps),
      limitRequests(deps, options.processCount),
      limitUnread(),
      readJson(options.bodies),
      renewRights,
    ),
  );
  mountManagementRoutes(app, options);
}

const refuseAll: RequestHandler = () => {
  throw notFound(null);
};
