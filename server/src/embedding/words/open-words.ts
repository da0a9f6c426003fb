import type { WordTable } from '@postrider/words-en';
import type { Logger } from 'pino';
import { createBreather } from '../../lib/concurrency/wait.ts';
import { sayError } from '../../lib/start/start-error.ts';
import { type EmbeddingProvider, embeddedCharactersMax } from '../provider.ts';
import { dimensionsOf, embedText } from './embed-text.ts';

/**
 * Opens the built-in table of English words. Returns null, with a warning in the log, if its package is not installed or damaged, because
 * the server works without it.
 */
export async function openWords(
  log: Pick<Logger, 'warn'>,
  loadTable: () => Promise<WordTable> = loadInstalledTable,
): Promise<EmbeddingProvider | null> {
  try {
    return createWords(await loadTable());
  } catch (error) {
    log.warn(
      { reason: sayError(error) },
      'search by meaning is off, because its table of words could not be loaded',
    );
    return null;
  }
}

/** Raised with every change of `embedText`, so that messages are embedded again. */
const method = 2;

/** Never changes, so all servers of a process share it. */
let installed: Promise<WordTable> | undefined;

function loadInstalledTable(): Promise<WordTable> {
  installed ??= import('@postrider/words-en').then(({ loadWordTable }) => loadWordTable());
  return installed;
}

function createWords(table: WordTable): EmbeddingProvider {
  const embed = (text: string) => embedText(table, text.slice(0, embeddedCharactersMax));
  return {
    name: table.name,
    version: `${table.checksum}.${method}`,
    dimensions: dimensionsOf(table),
    embedMany: async (texts, signal) => {
      const breathe = createBreather();
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(embed(text));
        await breathe();
      }
      return vectors;
    },
    embedQuery: async (text, signal) => {
      signal.throwIfAborted();
      return embed(text);
    },
    close: async () => {},
  };
}
