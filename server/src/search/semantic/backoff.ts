import type { Deps } from '../../deps.ts';
import type { EmbeddingError } from '../../embedding/provider.ts';

const firstMs = 2_000;
const maxMs = 5 * 60_000;

/** The rest that a failing provider gets. */
export interface Backoff {
  /** The time in ms until it may be asked again; 0 or less if it may. */
  leftMs(): number;
  /** Begins a rest after a failure, and returns its length in ms. */
  begin(error: EmbeddingError): number;
  /** Notes that it works again. */
  end(): void;
}

/**
 * Creates a rest of 2 s, which doubles with each failure, up to 5 minutes. A failure that does not pass by itself has the longest at
 * once.
 */
export function createBackoff({ timeScale }: Pick<Deps, 'timeScale'>): Backoff {
  let failures = 0;
  let until = 0;
  return {
    leftMs: () => until - performance.now(),
    begin: ({ mayPass }) => {
      const pauseMs = timeScale.scaleMs(mayPass ? Math.min(maxMs, firstMs * 2 ** failures) : maxMs);
      failures++;
      until = performance.now() + pauseMs;
      return pauseMs;
    },
    end: () => {
      failures = 0;
    },
  };
}
