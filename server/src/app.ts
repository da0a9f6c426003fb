import { pathPrefix, realtimePath } from '@postrider/contract';
import express, { type Express } from 'express';
import { mountConsole } from './console/mount-console.ts';
import { hasSession } from './console/signed-in.ts';
import { answerSesHook } from './delivery/ses-hook.ts';
import type { Deps } from './deps.ts';
import { docsPath } from './docs/docs-path.ts';
import { serveDocs } from './docs/serve-docs.ts';
import { allowOrigins } from './http/allow-origins.ts';
import { answerInParts } from './http/answer-in-parts.ts';
import { answerMetrics } from './http/answer-metrics.ts';
import {
  drainUnread,
  giveRequestId,
  inOrder,
  logRequests,
  requireHost,
  setSecurityHeaders,
} from './http/begin-request.ts';
import { type BodyReader, readJson, readText } from './http/bodies/json-body.ts';
import { limitRequests, limitStrangers, limitUnread, renewRights, requireCaller } from './http/callers.ts';
import { answerErrors } from './http/errors.ts';
import { answerLive, answerReady, type PartName, type Probe } from './http/health.ts';
import { answerIndex, answerManagementOpenApi, answerOpenApi } from './http/index-page.ts';
import { refuseUnknown } from './http/route-table.ts';
import { mountRoutes, parseQuery } from './http/router.ts';
import { answerChallenge, challengeRoute, leadToHttps } from './http/serve-without-tls.ts';
import { traceRequests } from './http/trace-requests.ts';
import type { TakeSesMail } from './inbound/take-ses-mail.ts';
import { mountManagement } from './management/mount-management.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { serveDownload } from './messages/serve-download.ts';
import { openSocket } from './realtime/open-socket.ts';
import type { SocketHub } from './realtime/socket-hub.ts';
import type { RequestLog } from './request-log/open-request-log.ts';

/** The mode of the app. `strict`, for tests, treats a response that the contract does not declare as a failure. */
export interface AppOptions {
  strict: boolean;
  /** The number of processes that serve the API, including this one. */
  processCount(): number;
  /** The realtime sockets. */
  hub: SocketHub;
  /** Takes mail that Amazon SES received; null if nobody listens to SES. */
  takeSesMail: TakeSesMail | null;
  /** Reads bodies. */
  bodies: BodyReader;
  /** The log of requests by keys. */
  requests: RequestLog;
  /** Whether the parts of this process work. */
  probes: ReadonlyMap<PartName, Probe>;
}

/** The HTTP side of the server, in the order in which a request passes it. */
export function createApp(deps: Deps, options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', deps.config.trustProxy === 'off' ? false : deps.config.trustProxy);
  app.set('query parser', parseQuery);
  if (deps.tracing.isOn) app.use(traceRequests(deps));
  answerInParts(app);
  const { bodies } = options;
  app.use(
    inOrder(
      giveRequestId,
      logRequests(deps, options.requests),
      setSecurityHeaders(),
      requireHost,
      drainUnread(bodies),
    ),
  );
  const { corsOrigins, publicUrl, tls } = deps.config;
  if (tls.isHttpsOnly && publicUrl !== null) app.use(leadToHttps(publicUrl, deps.address));
  if (corsOrigins.length > 0) app.use([pathPrefix, '/mcp', '/files'], allowOrigins(corsOrigins));

  // The API comes first, because Express tries paths in order.
  app.use([pathPrefix, '/mcp'], inOrder(requireCaller(deps), limitRequests(deps, options.processCount)));
  app.all('/mcp', inOrder(limitUnread(), readJson(bodies), renewRights), serveMcp(deps));
  app.get(pathPrefix + realtimePath, openSocket(options.hub));
  app.use(pathPrefix, inOrder(limitUnread(), readJson(bodies), renewRights));
  mountRoutes(app, options);

  mountManagement(app, deps, options);

  const isSignedIn = hasSession(deps);
  // The documentation is the same for all, so that no cookie is read for it.
  const strangers = limitStrangers(async (req) => req.baseUrl !== docsPath && isSignedIn(req));
  const docs = serveDocs();
  app.get('/', answerIndex);
  app.use(docsPath, strangers, docs);
  app.get('/llms.txt', strangers, docs);
  app.get('/openapi.json', strangers, answerOpenApi(deps));
  if (deps.config.management) app.get('/management.openapi.json', strangers, answerManagementOpenApi(deps));
  app.get('/livez', answerLive);
  app.get('/readyz', answerReady(deps, options.probes));
  app.get('/metrics', answerMetrics(deps));
  if (tls.acme) app.get(challengeRoute, strangers, answerChallenge(deps));
  app.get('/files/:token', (req, res) => serveDownload(deps, req, res));
  const { ses } = deps.config;
  const { takeSesMail } = options;
  if (ses && takeSesMail)
    app.post('/hooks/ses', inOrder(readText(bodies)), answerSesHook(deps, ses, takeSesMail));

  mountConsole(app, deps, { ...options, strangers });

  app.use(refuseUnknown);
  app.use(answerErrors(deps, options));
  return app;
}
