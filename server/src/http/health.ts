import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { isLoopback } from '../lib/client-address.ts';
import { sha256 } from '../lib/sha256.ts';
import { wait } from '../lib/wait.ts';

/** `/livez`: the process answers. */
export const answerLive: RequestHandler = (_req, res) => void res.json({ status: 'ok' });

/**
 * `/readyz`: whether requests would succeed now, part by part; 503 when one would not. What went wrong stands in the log,
 * since anybody may ask.
 */
export const answerReady = (deps: Deps): RequestHandler => {
  const transportState = watchTransport(deps);
  return async (_req, res) => {
    const [database, files, transport] = await Promise.all([
      check(deps, 'database', async () => void (await sql`select 1`.execute(deps.db))),
      check(deps, 'files', () => deps.files.check()),
      transportState(),
    ]);
    // Less than the reserve of disk delays mail that comes in; all else goes on.
    if (files.ok && (await deps.disk.isStillShort()))
      files.detail = 'short of disk: mail waits at its senders';
    // A relay that is away delays mail and loses none, so it does not take the server out of service.
    const ready = database.ok && files.ok && !deps.stopping.aborted;
    res.status(ready ? 200 : 503).json({
      status: deps.stopping.aborted ? 'stopping' : ready ? 'ready' : 'unavailable',
      checks: { database, files, transport: { name: deps.transport.name, ...transport } },
    });
  };
};

interface PartState {
  ok: boolean;
  detail: string;
}

const check = async (deps: Deps, part: string, probe: () => Promise<void>): Promise<PartState> => {
  try {
    await probe();
    return { ok: true, detail: 'ok' };
  } catch (error) {
    deps.log.warn({ err: error, part }, 'a part of the server is not ready');
    return { ok: false, detail: 'unavailable' };
  }
};

const transportKnownForMs = 10_000;
const transportWaitMs = 500;

/** Asks the transport now and then, once for all who want to know, and never keeps anybody waiting for a relay that hangs. */
const watchTransport = ({ transport, log }: Deps): (() => Promise<PartState>) => {
  let known: PartState = { ok: true, detail: 'not checked yet' };
  let knownAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    const { ok, detail } = await transport.check();
    if (!ok) log.warn({ transport: transport.name, detail }, 'the transport is not ready');
    known = { ok, detail: ok ? detail : 'unavailable' };
    knownAtMs = performance.now();
    asking = null;
  };
  return async () => {
    if (performance.now() - knownAtMs < transportKnownForMs) return known;
    asking ??= ask();
    await Promise.race([asking, wait(transportWaitMs)]);
    return known;
  };
};

/** What proxies add to a request. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** A proxy on this machine passes on what comes from anywhere, whether or not it is configured or says so. */
const isFromHere = ({ config }: Deps, req: Request): boolean => {
  const isBehindProxy = config.publicUrl !== null || config.trustProxy !== 'off';
  const isPassedOn = proxyHeaders.some((name) => req.headers[name] !== undefined);
  return !isBehindProxy && !isPassedOn && isLoopback(req.socket.remoteAddress ?? '');
};

/** `/metrics`, for who has the token or, without one and without a proxy, for this machine only. */
export const answerMetrics =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = deps.config.metricsToken;
    if (token === null ? !isFromHere(deps, req) : !isBearer(req.headers.authorization, token)) {
      throw new ApiError('invalid_token');
    }
    res.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  };

const isBearer = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(sha256(authorization ?? ''), sha256(`Bearer ${token}`));
