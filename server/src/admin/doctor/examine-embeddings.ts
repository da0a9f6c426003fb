import type { Config } from '../../config/config.ts';
import { findLack } from '../../embedding/open-local.ts';
import { sayError } from '../../lib/start/start-error.ts';
import { type Finding, ok, problem } from './finding.ts';

const part = 'embeddings';

/** Examines whether the packages are installed that the chosen model needs. Other providers need none. */
export async function examineEmbeddings(
  { embeddings }: Pick<Config, 'embeddings'>,
  find = findLack,
): Promise<Finding[]> {
  if (embeddings.kind !== 'model2vec' && embeddings.kind !== 'transformers') return [];
  const lack = await find(embeddings);
  if (!lack) return [ok(part, `what ${embeddings.kind} needs is installed`)];
  const { text, remedy, cause } = lack;
  return [problem(part, cause === undefined ? text : `${text} Cause: ${sayError(cause)}`, remedy)];
}
