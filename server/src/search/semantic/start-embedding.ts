import type { Deps } from '../../deps.ts';
import type { EmbeddingProvider } from '../../embedding/provider.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { startLoop } from '../../lib/concurrency/worker-loop.ts';
import { embedPending } from './embed-pending.ts';
import { beginSpace, endEmbedding, refillPending } from './refill-pending.ts';
import { spaceOf } from './vector-space.ts';

/** How long a message may wait if its wake-up is lost. */
const lookAgainMs = 500;
const periodMs = 25;
const backoffMs = { first: 2_000, max: 5 * 60_000 };

/**
 * Embeds messages as they arrive, and older ones in between, if a provider is set. Nothing waits for it, so that a provider that fails
 * holds nothing up. Returns a function that stops it.
 */
export function startEmbedding(deps: Deps): () => Promise<void> {
  const { embedding: provider } = deps;
  if (!provider) {
    deps.background.run(endEmbedding(deps));
    return async () => {};
  }
  const loop = startLoop({
    look: embedNext(deps, provider),
    onError: (error) => deps.log.error({ err: error }, 'messages were not embedded'),
    retryMs: deps.timeScale.scaleMs(backoffMs.first),
    periodMs: () => periodMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake);
  return () => {
    unlisten();
    return loop.stop();
  };
}

/** Returns a function that embeds one batch, and returns the time in ms until the next one. */
function embedNext(deps: Deps, provider: EmbeddingProvider): (stopped: AbortSignal) => Promise<number> {
  const space = spaceOf(provider);
  const backoff = createBackoff(deps);
  let hasBegun = false;
  return async (stopped) => {
    // Wake-ups end every pause, and the provider still needs its rest.
    const restMs = backoff.leftMs();
    if (restMs > 0) return restMs;
    if (!hasBegun) await beginSpace(deps, space);
    hasBegun = true;
    try {
      const startedAt = performance.now();
      const { taken, hadLive } = await embedPending(deps, provider, stopped);
      backoff.end();
      if (taken === 0) return (await refillPending(deps, space)) ? 0 : lookAgainMs;
      // Older messages take at most half of the time, as the same machine has mail to take in.
      return hadLive ? 0 : performance.now() - startedAt;
    } catch (error) {
      if (stopped.aborted) return 0;
      if (!(error instanceof EmbeddingError)) throw error;
      const pauseMs = backoff.begin(error);
      deps.log.warn({ err: error, provider: provider.name, pauseMs }, 'messages could not be embedded');
      return pauseMs;
    }
  };
}

/** Asks a failing provider again after 2 s, and then after twice as long each time, up to 5 minutes. */
function createBackoff({ timeScale }: Pick<Deps, 'timeScale'>) {
  let failures = 0;
  let until = 0;
  return {
    leftMs: () => until - performance.now(),
    begin: ({ mayPass }: EmbeddingError): number => {
      const longMs = mayPass ? Math.min(backoffMs.max, backoffMs.first * 2 ** failures) : backoffMs.max;
      failures++;
      const pauseMs = timeScale.scaleMs(longMs);
      until = performance.now() + pauseMs;
      return pauseMs;
    },
    end: () => {
      failures = 0;
    },
  };
}
