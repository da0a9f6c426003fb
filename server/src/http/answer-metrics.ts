import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { sql } from 'kysely';
import { inTimedTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { withinTime } from '../lib/concurrency/wait.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import { timeOfId } from '../lib/ids.ts';
import { isLoopback } from '../lib/ip-address.ts';

/** So many rows of each kind that waits are counted. A longer queue has this length in the metrics. */
export const countedMax = 2_000;
/** A scrape that the database keeps waiting for longer gets the metrics of the process alone. */
const databaseWaitMs = 2_000;
const metricsKnownForMs = 1_000;

/** `/metrics`: open with the token, or without a token for this machine only, unless a proxy is in between. */
export function answerMetrics(deps: Deps): RequestHandler {
  const readInTime = createBacklogReader(deps);
  let printed: Promise<string> | null = null;
  let knownUntilMs = 0;
  // Printing costs a query and a millisecond or more, so a flood of requests shares one result.
  const print = (): Promise<string> => {
    if (printed && performance.now() < knownUntilMs) return printed;
    knownUntilMs = Number.POSITIVE_INFINITY;
    printed = printMetrics(deps, readInTime).finally(() => {
      knownUntilMs = performance.now() + metricsKnownForMs;
    });
    return printed;
  };
  return async (req, res) => {
    const token = deps.config.metricsToken;
    if (token === null ? !isFromHere(deps, req) : !isBearer(req.headers.authorization, token))
      throw new ApiError('invalid_token');
    res.type(deps.metrics.registry.contentType).send(await print());
  };
}

async function printMetrics(
  { metrics }: Pick<Deps, 'metrics'>,
  readInTime: () => Promise<boolean>,
): Promise<string> {
  const isRead = await readInTime();
  metrics.databaseUp.set(isRead ? 1 : 0);
  const registries = [metrics.registry, ...(isRead ? [metrics.backlog.registry] : [])];
  return (await Promise.all(registries.map((registry) => registry.metrics()))).join('\n');
}

/** A row of the function `backlog`. */
interface Backlog {
  part: string;
  kind: string | null;
  waiting: number | null;
  bytes: number | null;
  since: Date | null;
  since_id: string | null;
}

/**
 * Returns a function that reads what is waiting and resolves to whether the database responded in time. At most one query is in progress,
 * so a hanging database holds one connection, however often metrics are scraped.
 */
function createBacklogReader(deps: Deps): () => Promise<boolean> {
  let reading: Promise<boolean> | null = null;
  const read = async () => {
    try {
      for (const row of await readBacklog(deps)) setGauges(deps, row);
      return true;
    } catch (error) {
      deps.log.warn({ err: error }, 'the database did not tell what waits');
      return false;
    } finally {
      reading = null;
    }
  };
  return () => {
    reading ??= read();
    return withinTime(reading, databaseWaitMs, false);
  };
}

async function readBacklog(deps: Pick<Deps, 'db'>): Promise<Backlog[]> {
  const { rows } = await inTimedTransaction(deps, databaseWaitMs, (tx) =>
    sql<Backlog>`select * from backlog(${countedMax})`.execute(
      acrossWorkspaces(tx, 'metrics are of the whole server'),
    ),
  );
  return rows;
}

function setGauges({ metrics, clock }: Deps, { part, kind, waiting, bytes, since, since_id }: Backlog): void {
  const gauges = metrics.backlog.parts[part];
  const own = kind === null ? [] : [kind];
  const sinceAt = since_id === null ? since : timeOfId(since_id);
  const lagMs = sinceAt ? clock.now().getTime() - sinceAt.getTime() : 0;
  gauges?.waiting?.labels(...own).set(waiting ?? 0);
  gauges?.bytes?.labels(...own).set(bytes ?? 0);
  gauges?.lagSeconds?.labels(...own).set(Math.max(0, lagMs / 1_000));
}

/** The headers that proxies add. */
const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:original|client|cluster-client).*|true-client-ip|cf-.*|fastly-.*)$/;
/** The names of this machine for itself. A proxy that passes on the name of a site has another one. */
const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Returns whether a request comes from this machine itself. A proxy here passes on requests from anywhere, configured or not. */
function isFromHere({ config }: Deps, req: Request): boolean {
  const isBehindProxy = config.publicUrl !== null || config.filesUrl !== null || config.trustProxy !== 'off';
  const isPassedOn =
    Object.keys(req.headers).some((name) => proxyHeader.test(name)) || !ownHost.test(req.headers.host ?? '');
  return !isBehindProxy && !isPassedOn && isLoopback(req.socket.remoteAddress ?? '');
}

function isBearer(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(sha256(authorization ?? ''), sha256(`Bearer ${token}`));
}
