import type { Logger } from 'pino';
import type { EmbeddingSettings } from '../../config/embedding.ts';
import { Circuit } from '../../lib/admission/circuit.ts';
import type { TimeScale } from '../../lib/clock.ts';
import { StartError, settingNames } from '../../lib/start/start-error.ts';
import type { EmbeddingProvider } from '../provider.ts';
import { createRemote, openClient } from './create-remote.ts';
import type { RemoteTarget } from './post-texts.ts';

type Settings = Extract<EmbeddingSettings, { kind: 'openai' }>;

/** Models whose number of dimensions is known. The service is asked about others. */
const knownDimensions = new Map([
  ['text-embedding-3-small', 1_536],
  ['text-embedding-3-large', 3_072],
  ['text-embedding-ada-002', 1_536],
  ['nomic-embed-text', 768],
  ['mxbai-embed-large', 1_024],
  ['bge-m3', 1_024],
  ['all-minilm', 384],
]);

/** A start waits for this. */
const patience = { timeoutMs: 5_000, attemptsMax: 2 };

/**
 * Opens a service. If the number of dimensions is neither configured nor known, it is asked for a vector now. If it cannot be reached for
 * that, the result is null, with an error in the log, because mail must continue.
 *
 * @throws StartError if the service refuses the key, the model or the text.
 */
export async function openRemote(
  { url, key, model, dimensions }: Settings,
  log: Pick<Logger, 'warn' | 'error'>,
  timeScale: Pick<TimeScale, 'scaleMs'>,
): Promise<EmbeddingProvider | null> {
  const target = { url: embeddingsUrl(url), key, model };
  const known = dimensions ?? knownDimensions.get(model) ?? (await learnDimensions(target, log, timeScale));
  return known === null ? null : createRemote({ ...target, dimensions: known }, log, timeScale);
}

async function learnDimensions(
  target: Omit<RemoteTarget, 'dimensions'>,
  log: Pick<Logger, 'error'>,
  { scaleMs }: Pick<TimeScale, 'scaleMs'>,
): Promise<number | null> {
  const circuit = new Circuit({ failuresMax: patience.attemptsMax, firstMs: 0, mostMs: 0 });
  const client = openClient({ ...target, dimensions: null }, circuit, scaleMs);
  try {
    const outcome = await client.ask(['mail'], { ...patience, signal: new AbortController().signal });
    if (outcome.kind === 'answered') return outcome.vectors[0]!.length;
    const { embeddingsDimensions, embeddings } = settingNames;
    if (outcome.kind === 'refused' || !outcome.mayPass)
      throw new StartError(
        `The embeddings service at ${withoutSecrets(target.url)} does not work with these settings. Correct them, or set ${embeddings} to words or off.`,
        outcome.problem,
        outcome.problem,
      );
    log.error(
      { url: withoutSecrets(target.url), reason: outcome.problem },
      `search by meaning is off until the next start, because the service did not say how many dimensions its vectors have; set ${embeddingsDimensions} to start without asking`,
    );
    return null;
  } finally {
    await client.close();
  }
}

/** Returns the URL of the service with `/embeddings`, which may be there already, before its parameters. */
function embeddingsUrl(base: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return url.href;
}

/** Returns a URL without its parameters and without a password, which may be secrets. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
