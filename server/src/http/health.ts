import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { wait } from '../lib/concurrency/wait.ts';

/** `/livez`: the process responds. */
export const answerLive: RequestHandler = (_req, res) => void res.json({ status: 'ok' });

/** A part of the server that a role is for. */
export type PartName = 'requests' | 'mail' | 'deliveries';
/** Rejects if the part does not work. */
export type Probe = () => Promise<unknown>;

/**
 * `/readyz`: whether what this process is for works now, part by part, and 503 if something does not. The cause is in the log only, since
 * anybody may ask.
 */
export function answerReady(deps: Deps, probes: ReadonlyMap<PartName, Probe>): RequestHandler {
  const transportState = watchTransport(deps);
  const share = createSingleFlight<Readiness>();
  const look = async (): Promise<Readiness> => {
    const parts = [...probes].map(([name, probe]) =>
      check(deps, name, async () => {
        await probe();
        return fine;
      }).then((state) => [name, state] as const),
    );
    const [database, files, transport] = await Promise.all([
      check(deps, 'database', async () => {
        await sql`select 1`.execute(deps.db);
        return fine;
      }),
      check(deps, 'files', async () => {
        await deps.files.check();
        // A disk below its reserve only delays inbound mail, so the server stays ready.
        return deps.disk.isShort ? 'short of disk: incoming mail is deferred' : fine;
      }),
      transportState(),
    ]);
    const ofRoles = Object.fromEntries(await Promise.all(parts));
    const needed = { ...ofRoles, database, files };
    // An unavailable relay delays mail but loses none, so it does not take the server out of service.
    return {
      ready: Object.values(needed).every(({ ok }) => ok),
      checks: { ...needed, transport: { name: deps.transport.name, ...transport } },
    };
  };
  return async (_req, res) => {
    // All callers share one probe at a time.
    const { ready, checks } = await share('ready', look);
    const isReady = ready && !deps.stopping.aborted;
    const status = deps.stopping.aborted ? 'stopping' : isReady ? 'ready' : 'unavailable';
    res.status(isReady ? 200 : 503).json({ status, checks });
  };
}

interface Readiness {
  ready: boolean;
  checks: Record<string, PartState & { name?: string }>;
}

const fine = 'ok';

interface PartState {
  ok: boolean;
  detail: string;
}

/** Runs a probe. An error of it is logged. */
async function check(deps: Deps, part: string, probe: () => Promise<string>): Promise<PartState> {
  try {
    return { ok: true, detail: await probe() };
  } catch (error) {
    deps.log.warn({ err: error, part }, 'a part of the server is not ready');
    return { ok: false, detail: 'unavailable' };
  }
}

const transportKnownForMs = 10_000;
const transportWaitMs = 500;

/** Probes the transport now and then, once for all callers. Nobody waits for a relay that hangs. */
function watchTransport({ transport, log }: Deps): () => Promise<PartState> {
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
}
