import { onBehalfOf } from '../../db/fair-connections.ts';
import type { Deps } from '../../deps.ts';
import { EmbeddingError, type EmbeddingProvider } from '../../embedding/provider.ts';
import { startLoop } from '../../lib/concurrency/worker-loop.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { embedPending } from './embed-pending.ts';
import { beginSpace, endEmbedding, refillPending } from './refill-pending.ts';
import { spaceOf } from './vector-space.ts';

/** How long a message may wait if its wake-up is lost. */
const lookAgainMs = 1_000;
const retryMs = 1_000;
const periodMs = 25;
/** How often workspaces are looked for that have not begun, and without a provider, what waits is forgotten. */
const beginEveryMs = 60_000;
/** Older messages rest this many times as long as they take, as the same machine has mail to take in. */
const restShare = { postgres: 1, embedded: 3 };
/** Its share of the one connection of the embedded database is that of a workspace on the smallest plan. */
const owner = { name: 'embedding', share: 10 };

/**
 * Embeds messages as they arrive, and older ones in between, if a provider is set. Nothing waits for it, so that a provider that fails
 * holds nothing up. Returns a function that stops it.
 */
export function startEmbedding(deps: Deps): () => Promise<void> {
  const { embedding: provider } = deps;
  const look = provider ? embedNext(deps, provider) : forget(deps);
  const loop = startLoop({
    look: (stopped) => onBehalfOf(owner, () => look(stopped)),
    onError: (error) => deps.log.error({ err: error }, 'messages were not embedded'),
    retryMs,
    periodMs: () => periodMs,
  });
  const unlisten = provider ? deps.wakeups.listenToAll(loop.wake) : () => {};
  return () => {
    unlisten();
    return loop.stop();
  };
}

/** Does what is due, and returns the longest time in ms until the next look. */
type Look = (stopped: AbortSignal) => Promise<number>;

function forget(deps: Deps): Look {
  return async () => {
    await endEmbedding(deps);
    return beginEveryMs;
  };
}

function embedNext(deps: Deps, provider: EmbeddingProvider): Look {
  const space = spaceOf(provider);
  const backoff = createBackoff(deps);
  let beginAt = 0;
  let oldAt = 0;
  return async (stopped) => {
    const nowMs = performance.now();
    // Wake-ups end every pause, and the provider still needs its rest.
    const restMs = backoff.leftMs();
    if (restMs > 0) return restMs;
    if (nowMs >= beginAt) {
      await beginSpace(deps, space);
      beginAt = nowMs + beginEveryMs;
    }
    if (await embedded(deps, provider, { isLive: true, stopped, backoff })) return 0;
    if (nowMs < oldAt) return Math.min(lookAgainMs, oldAt - nowMs);
    const hadOld = await embedded(deps, provider, { isLive: false, stopped, backoff });
    oldAt = performance.now() + (performance.now() - nowMs) * restShare[deps.database.kind];
    if (hadOld || (await refillPending(deps, space))) return Math.min(lookAgainMs, oldAt - performance.now());
    return lookAgainMs;
  };
}

interface Batch {
  isLive: boolean;
  stopped: AbortSignal;
  backoff: Backoff;
}

/** Embeds one batch. Returns whether there were messages that the provider could embed. */
async function embedded(
  deps: Deps,
  provider: EmbeddingProvider,
  { isLive, stopped, backoff }: Batch,
): Promise<boolean> {
  try {
    const taken = await embedPending(deps, provider, isLive, stopped);
    if (taken > 0) backoff.end();
    return taken > 0;
  } catch (error) {
    if (stopped.aborted) return false;
    if (!(error instanceof EmbeddingError)) throw error;
    const pauseMs = backoff.begin(error);
    deps.log.warn({ err: error, provider: provider.name, pauseMs }, 'messages could not be embedded');
    return false;
  }
}
