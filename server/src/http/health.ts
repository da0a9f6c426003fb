import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { sha256 } from '../lib/sha256.ts';

/** `/livez`: the process answers. */
export const answerLive: RequestHandler = (_req, res) => void res.json({ status: 'ok' });

/** `/readyz`: whether requests would succeed now, part by part; 503 when one would not. */
export const answerReady =
  (deps: Deps): RequestHandler =>
  async (_req, res) => {
    const [database, files, transport] = await Promise.all([
      check(async () => void (await sql`select 1`.execute(deps.db))),
      check(() => deps.files.check()),
      deps.transport.check(),
    ]);
    // A relay that is away delays mail and loses none, so it does not take the server out of service.
    const ready = database.ok && files.ok && !deps.stopping.aborted;
    res.status(ready ? 200 : 503).json({
      status: deps.stopping.aborted ? 'stopping' : ready ? 'ready' : 'unavailable',
      checks: { database, files, transport: { name: deps.transport.name, ...transport } },
    });
  };

const check = async (probe: () => Promise<void>): Promise<{ ok: boolean; detail: string }> => {
  try {
    await probe();
    return { ok: true, detail: 'ok' };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
};

/** `/metrics`, for who has the token or, without one, for this machine only. */
export const answerMetrics =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = deps.config.metricsToken;
    if (token === null ? !isLoopback(req.ip) : !isBearer(req.headers.authorization, token)) {
      throw new ApiError('invalid_token');
    }
    res.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  };

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const isBearer = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(sha256(authorization ?? ''), sha256(`Bearer ${token}`));
