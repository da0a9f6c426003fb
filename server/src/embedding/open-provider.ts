import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { createTimeScale } from '../lib/clock.ts';
import { openLocal } from './open-local.ts';
import type { EmbeddingProvider } from './provider.ts';
import { openRemote } from './remote/open-remote.ts';
import { openWords } from './words.ts';

/**
 * Opens the provider of vectors that is configured. Returns null if search by meaning is off, or if the built-in table is not installed.
 *
 * @throws StartError if a configured model cannot be opened. A service is not asked before the first text.
 */
export async function openProvider(
  { embeddings, timeScale }: Pick<Config, 'embeddings' | 'timeScale'>,
  log: Logger,
): Promise<EmbeddingProvider | null> {
  switch (embeddings.kind) {
    case 'off':
      return null;
    case 'words':
      return openWords(log);
    case 'openai':
      return openRemote(embeddings, log, createTimeScale(timeScale));
    case 'model2vec':
    case 'transformers':
      return openLocal(embeddings);
  }
}
