import { isRolledBack } from '../../db/database-errors.ts';
import type { Deps } from '../../deps.ts';
import { originalRowBytesMax, rawKey } from '../originals.ts';
import type { MessageRecord } from './message-record.ts';

/**
 * Stores a message with its original. A small one goes with the rows in one transaction, by the `original` that `store` is
 * given. A large one is made durable as a file before, and taken away again when there are no rows; where a connection broke
 * in between nobody knows whether they were written, and the file stays.
 */
export const storeWithOriginal = async <Outcome extends { outcome: string }>(
  deps: Pick<Deps, 'files'>,
  raw: Buffer,
  { message }: MessageRecord,
  store: (original: Buffer | null) => Promise<Outcome>,
): Promise<Outcome> => {
  if (raw.length <= originalRowBytesMax) return store(raw);
  const key = rawKey(message);
  await deps.files.put(key, raw);
  try {
    const stored = await store(null);
    if (stored.outcome !== 'stored') await deps.files.delete([key]);
    return stored;
  } catch (error) {
    if (isRolledBack(error)) await deps.files.delete([key]);
    throw error;
  }
};
