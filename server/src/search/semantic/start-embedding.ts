import type { Deps } from '../../deps.ts';
import { EmbeddingError, type EmbeddingProvider } from '../../embedding/provider.ts';
import { Circuit } from '../../lib/admission/circuit.ts';
import { restMsAfter } from '../../lib/admission/slots.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { createLeadership, type Leadership } from '../index/lead.ts';
import { embedPending } from './embed-pending.ts';
import {
  endEmbedding,
  isAnyEmbedded,
  refillPending,
  switchSpace,
  turnOffUnasked,
} from './embedding-progress.ts';
import { vectorSpace } from './vectors.ts';

/** The rest that a failing provider gets. */
const failing = { firstMs: 2_000, mostMs: 5 * 60_000 };

/** As for the index: at least 25 ms between the starts of two batches, and three times as long as the first one took. */
const period = { msLeast: 25, share: 3 };
/** How often workspaces are turned off that have not searched by meaning for long and, where embeddings are off, all of them. */
const turnOffEveryMs = 60_000;
/** After older messages, the worker rests this many times as long as they took, because the same machine receives mail. */
const rest = { share: 1, msMax: 1_000 };

/**
 * Embeds messages of the workspaces that search by meaning as they arrive, and older ones in between, if a provider is set. Every process
 * with the role calls it, and one at a time does the work. Nothing waits for it, so a failing provider delays nothing. Returns a function
 * that stops it.
 */
export function startEmbedding(deps: Deps): () => Promise<void> {
  const { embedding: provider } = deps;
  // A service that could not be reached at the start may be there at the next one, so what waits for it is kept.
  if (!provider && deps.config.embeddings.kind !== 'off') return async () => {};
  const leadership = createLeadership(deps, 'embedding');
  const look = provider ? embedNext(deps, provider) : forget(deps);
  const loop = startLoop({
    look: (stopped) => lead(leadership, () => look(stopped)),
    onError: (error) => deps.log.error({ err: error }, 'messages were not embedded'),
    lookAgainMs: deps.lookAgainMs,
    periodMs: (tookMs) => Math.max(period.msLeast, tookMs * period.share),
  });
  const unlisten = provider ? deps.wakeups.listenToAll(loop.wake, 'search') : () => {};
  return async () => {
    unlisten();
    await loop.stop();
    await leadership.leave();
  };
}

/** Does the due work, and returns the longest time in ms until the next look. */
type Look = (stopped: AbortSignal) => Promise<number>;

async function lead(leadership: Leadership, work: () => Promise<number>): Promise<number> {
  return (await leadership.hold()) === null ? nothingDue : work();
}

function forget(deps: Deps): Look {
  return async () => {
    await endEmbedding(deps);
    return turnOffEveryMs;
  };
}

function embedNext(deps: Deps, provider: EmbeddingProvider): Look {
  const space = vectorSpace(provider);
  const { scaleMs } = deps.timeScale;
  const circuit = new Circuit({ firstMs: scaleMs(failing.firstMs), mostMs: scaleMs(failing.mostMs) });
  let [oldAt, turnOffAt] = [0, 0];
  return async (stopped) => {
    // Wake-ups end every pause, and the provider still needs its rest.
    const restMs = circuit.openMs;
    if (restMs > 0) return restMs;
    if (performance.now() >= turnOffAt) {
      turnOffAt = performance.now() + turnOffEveryMs;
      await turnOffUnasked(deps);
      await switchSpace(deps, space);
    }
    // Each batch of the index wakes this loop, also where no workspace searches by meaning.
    if (!(await isAnyEmbedded(deps))) return nothingDue;
    if (await embedBatch(deps, provider, { isLive: true, stopped, circuit })) return 0;
    const nowMs = performance.now();
    if (nowMs < oldAt) return oldAt - nowMs;
    const hadOld =
      (await embedBatch(deps, provider, { isLive: false, stopped, circuit })) ||
      (circuit.openMs === 0 && (await refillPending(deps, space)));
    oldAt = performance.now() + restMsAfter(performance.now() - nowMs, rest);
    return hadOld ? oldAt - performance.now() : nothingDue;
  };
}

interface Batch {
  isLive: boolean;
  stopped: AbortSignal;
  circuit: Circuit;
}

/** Embeds one batch. Returns whether there were messages that the provider could embed. */
async function embedBatch(
  deps: Deps,
  provider: EmbeddingProvider,
  { isLive, stopped, circuit }: Batch,
): Promise<boolean> {
  try {
    const taken = await embedPending(deps, provider, isLive, stopped);
    if (taken > 0) circuit.succeeded();
    deps.metrics.embedded.inc(taken);
    return taken > 0;
  } catch (error) {
    if (stopped.aborted) return false;
    if (!(error instanceof EmbeddingError)) throw error;
    const pauseMs = circuit.failed(error.mayPass);
    deps.metrics.embeddingFailures.inc();
    deps.log.warn({ err: error, provider: provider.name, pauseMs }, 'messages could not be embedded');
    return false;
  }
}
