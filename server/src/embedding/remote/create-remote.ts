import type { Logger } from 'pino';
import { Agent } from 'undici';
import { Circuit } from '../../lib/admission/circuit.ts';
import type { TimeScale } from '../../lib/clock.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { EmbeddingError, type EmbeddingProvider, embeddedCharactersMax } from '../provider.ts';
import { type PostOutcome, postTexts, type RemoteTarget } from './post-texts.ts';

/** Reading a larger response would block the event loop. */
const numbersMax = 65_536;
const batchMax = 64;

const inBackground = { timeoutMs: 30_000, attemptsMax: 4 };
/** Somebody waits for a search. */
const forSearch = { timeoutMs: 3_000, attemptsMax: 1 };

const failuresMax = 5;
const restMs = 30_000;

/** A refused text is cut in halves down to this length. */
const shortestCut = 200;
/** A text that every model takes. If it is refused, too, the texts are not to blame. */
const harmless = 'mail';

/** A call, and whether the service takes harmless texts during it. */
interface Call extends Patience {
  takesTexts(): Promise<boolean>;
}

/** Creates the provider for a service with an OpenAI-compatible `/embeddings`. The first call makes the first request. */
export function createRemote(
  { url, key, model, dimensions }: RemoteTarget & { dimensions: number },
  log: Pick<Logger, 'warn'>,
  { scaleMs }: Pick<TimeScale, 'scaleMs'>,
): EmbeddingProvider {
  const name = `openai:${model}`;
  const waitMs = scaleMs(restMs);
  const circuit = new Circuit({ failuresMax, firstMs: waitMs, mostMs: waitMs });
  const client = openClient({ url, key, model, dimensions }, circuit, scaleMs);
  const closing = new AbortController();
  const untilClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
  const size = Math.min(batchMax, Math.max(1, Math.floor(numbersMax / dimensions)));

  /** Returns the vectors of a batch. If the service refuses it, the batch is halved until the text is found that it does not take. */
  async function embedBatch(texts: string[], call: Call): Promise<Float32Array[]> {
    const outcome = await client.ask(texts, call);
    if (outcome.kind === 'answered') return outcome.vectors;
    if (outcome.kind === 'failed') throw embeddingProblem(name, outcome.problem, outcome.mayPass);
    const [text = ''] = texts;
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2);
      const first = await embedBatch(texts.slice(0, half), call);
      return [...first, ...(await embedBatch(texts.slice(half), call))];
    }
    if (!(await call.takesTexts())) throw embeddingProblem(name, outcome.problem, false);
    if (text.length > shortestCut) return embedBatch([text.slice(0, text.length / 2)], call);
    log.warn(
      { provider: name, reason: outcome.problem },
      'a text has no vector, because the service refuses it',
    );
    return [new Float32Array(dimensions)];
  }

  async function embedAll(texts: string[], patience: Patience): Promise<Float32Array[]> {
    patience.signal.throwIfAborted();
    const call = { ...patience, takesTexts: once(() => isTaken(patience)) };
    const cut = texts.map((text) => text.slice(0, embeddedCharactersMax).toWellFormed());
    const filled = cut.filter((text) => text.trim() !== '');
    const vectors: Float32Array[] = [];
    for (let from = 0; from < filled.length; from += size)
      vectors.push(...(await embedBatch(filled.slice(from, from + size), call)));
    // Services refuse a text without content.
    const next = vectors.values();
    return cut.map((text) => (text.trim() === '' ? new Float32Array(dimensions) : next.next().value!));
  }

  async function isTaken(patience: Patience): Promise<boolean> {
    return (await client.ask([harmless], patience)).kind !== 'refused';
  }

  return {
    name,
    version: String(dimensions),
    dimensions,
    embedMany: (texts, signal) => embedAll(texts, { signal: untilClosed(signal), ...inBackground }),
    embedQuery: async (text, signal) =>
      (await embedAll([text], { signal: untilClosed(signal), ...forSearch }))[0]!,
    close: async () => {
      closing.abort(embeddingProblem(name, 'The server stops.', true));
      await client.close();
    },
  };
}

function embeddingProblem(name: string, problem: string, mayPass: boolean): EmbeddingError {
  return new EmbeddingError(`${name} returned no embeddings. ${problem}`, { mayPass });
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}

/** The time limit and the number of attempts of one request. */
interface Patience {
  signal: AbortSignal;
  /** For one attempt, from its start to the end of the response. Not scaled, because the service is not faster when time is. */
  timeoutMs: number;
  attemptsMax: number;
}

/** A service that can be asked for vectors. */
interface RemoteClient {
  /**
   * Asks for the vectors of texts that fit into one request, several times if need be.
   *
   * @throws the reason of the signal once it is aborted.
   */
  ask(texts: string[], patience: Patience): Promise<PostOutcome>;
  /** Ends requests in progress. */
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
  problem: 'It failed several times in a row, so it is not used for a while.',
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
