import { contract, listRoutes, pathPrefix, realtimePath } from '@postrider/contract';
import { changesPath, consoleApiPath, consolePath, ownerOnlyApiRoutes } from '@postrider/contract/console';
import type { AppRoute } from '@ts-rest/core';
import express, { type Express, type RequestHandler } from 'express';
import { linkedFramesPath } from '../approvals/approval-link.ts';
import type { Deps } from '../deps.ts';
import { inOrder } from '../http/begin-request.ts';
import { type BodyReader, readJson } from '../http/bodies/json-body.ts';
import { limitUnread, renewRights } from '../http/callers.ts';
import { refuseUnknown } from '../http/route-table.ts';
import { mountConsoleRoutes, mountRoutes } from '../http/router.ts';
import { ApiError } from '../lib/api-error.ts';
import { openSocket } from '../realtime/open-socket.ts';
import type { SocketHub } from '../realtime/socket-hub.ts';
import { noteHttps } from './cookies.ts';
import { limitPeople, refuseForeign, takeTurns } from './guard-requests.ts';
import { serveChanges } from './serve-changes.ts';
import { serveConsole } from './serve-console.ts';
import {
  answerInFrame,
  framesPath,
  serveLinkedFrame,
  serveMailFrame,
  serveMailImage,
} from './serve-mail-frame.ts';
import { readSession, requireMember, signedInMember } from './signed-in.ts';

const forOwners = new Set(
  listRoutes(contract)
    .filter(({ name }) => (ownerOnlyApiRoutes as readonly string[]).includes(name))
    .map(({ route }) => route),
);

/** The needs of the console routes, in addition to the parts of the server. */
export interface ConsoleOptions {
  strict: boolean;
  hub: SocketHub;
  bodies: BodyReader;
  /** Limits what clients without a key or session are sent. */
  strangers: RequestHandler;
}

/** Mounts what people call with their session, the API at `/console/api/v1` and the console's own routes, and the pages that do. */
export function mountConsole(app: Express, deps: Deps, options: ConsoleOptions): void {
  app.use(consolePath, noteHttps(deps));
  app.get(`${framesPath}/images/:token`, (req, res) => serveMailImage(deps, req, res));
  app.use(framesPath, answerInFrame);
  app.get(`${linkedFramesPath}/:token`, (req, res) => serveLinkedFrame(deps, req, res));
  app.get(`${framesPath}/:workspace/:message`, readSession(deps), limitPeople(deps), (req, res) =>
    serveMailFrame(deps, req, res),
  );
  app.use(consoleApiPath, noStore, readSession(deps), refuseForeign(deps), limitPeople(deps));
  app.get(consoleApiPath + changesPath, serveChanges());
  app.use(consoleApiPath, createApiRouter(options));
  app.use(consoleApiPath, inOrder(readJson(options.bodies), renewRights), takeTurns());
  mountConsoleRoutes(app, deps, options);
  app.use(consolePath, options.strangers, serveConsole());
}

/** The router of the API for people in a workspace. It refuses unknown paths itself, since no other route is there. */
function createApiRouter(options: ConsoleOptions): express.Router {
  const api = express.Router();
  api.use(pathPrefix, requireMember);
  api.get(pathPrefix + realtimePath, openSocket(options.hub));
  api.use(pathPrefix, inOrder(limitUnread(), readJson(options.bodies), renewRights), requireMember);
  mountRoutes(api, options, [checkOwner]);
  api.use((req, res, next) =>
    req.path.toLowerCase().startsWith(`${pathPrefix}/`) ? refuseUnknown(req, res, next) : next(),
  );
  return api;
}

const noStore: RequestHandler = (_req, res, next) => {
  res.set('cache-control', 'no-store');
  next();
};

/**
 * Keeps members from the routes of the API that only owners may call. It decides by the route that was matched, because paths can be
 * spelt in several ways.
 */
const checkOwner: RequestHandler = (req, res, next) => {
  const isForOwners = forOwners.has((req as unknown as { tsRestRoute: AppRoute }).tsRestRoute);
  if (isForOwners && signedInMember(res).role !== 'owner') throw new ApiError('owner_only');
  next();
};
