import { Agent } from 'undici';
import type { Circuit } from '../../lib/admission/circuit.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { type PostOutcome, postTexts, type RemoteTarget } from './post-texts.ts';

/** How long and how often one question is tried. */
export interface Patience {
  signal: AbortSignal;
  /** For one attempt, from its start to the end of the answer. Not scaled, because the service is not faster when time is. */
  timeoutMs: number;
  attemptsMax: number;
}

/** A service that can be asked for vectors. */
export interface RemoteClient {
  /**
   * Asks for the vectors of texts that fit into one request, several times if need be.
   *
   * @throws the reason of the signal once it is aborted.
   */
  ask(texts: string[], patience: Patience): Promise<PostOutcome>;
  /** Ends requests under way. */
  close(): Promise<void>;
}

const connectionsMax = 4;
const connectTimeoutMs = 5_000;
const firstPauseMs = 500;
/** A service that asks for a longer pause has failed for now. */
const pauseMsMax = 30_000;

/** Opens a client, which connects when it is asked. */
export function openClient(
  target: RemoteTarget,
  circuit: Circuit,
  scaleMs: (durationMs: number) => number,
): RemoteClient {
  const agent = new Agent({ connections: connectionsMax, connect: { timeout: connectTimeoutMs } });
  // Some models refuse a request that names the dimensions, because they have only one size.
  let namesDimensions = true;

  async function post(texts: string[], { signal, timeoutMs }: Patience): Promise<PostOutcome> {
    const options = { signal, timeoutMs, namesDimensions };
    const outcome = await postTexts(agent, target, texts, options);
    if (outcome.kind !== 'refused' || !namesDimensions || !/dimension/i.test(outcome.problem)) return outcome;
    namesDimensions = false;
    return postTexts(agent, target, texts, { ...options, namesDimensions });
  }

  async function attempt(texts: string[], patience: Patience): Promise<PostOutcome> {
    if (!circuit.begin()) return resting;
    try {
      const outcome = await post(texts, patience);
      if (outcome.kind === 'failed') circuit.failed();
      else circuit.succeeded();
      return outcome;
    } catch (error) {
      circuit.abandoned();
      throw error;
    }
  }

  return {
    ask: async (texts, patience) => {
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await attempt(texts, patience);
        const pauseMs = pauseAfter(outcome, attempts, patience);
        if (pauseMs === null) return outcome;
        await wait(scaleMs(pauseMs), patience.signal);
        patience.signal.throwIfAborted();
      }
    },
    close: () => agent.destroy(),
  };
}

const resting: PostOutcome = {
  kind: 'failed',
  problem: 'It failed several times in a row and is left alone for a while.',
  mayPass: true,
  retryAfterMs: null,
};

/** Returns how long to wait before the next attempt, or null if there is none. */
function pauseAfter(outcome: PostOutcome, attempts: number, { attemptsMax }: Patience): number | null {
  if (outcome.kind !== 'failed' || !outcome.mayPass || outcome === resting || attempts >= attemptsMax)
    return null;
  const pauseMs = outcome.retryAfterMs ?? firstPauseMs * 2 ** (attempts - 1) * (1 + Math.random());
  return pauseMs <= pauseMsMax ? pauseMs : null;
}
