import { isRolledBack } from '../db/database-errors.ts';
import type { Deps } from '../deps.ts';
import type { MessageRecord, StoreOutcome } from './message-record.ts';
import { rawKey } from './raw-source.ts';

/**
 * Makes the original of a message durable before `store` writes its rows, and takes it away again when there are no rows. Where
 * a connection broke in between nobody knows whether they were written, and the original stays.
 */
export const storeWithOriginal = async (
  deps: Pick<Deps, 'files'>,
  raw: Buffer,
  { message }: MessageRecord,
  store: () => Promise<StoreOutcome>,
): Promise<StoreOutcome> => {
  const key = rawKey(message);
  await deps.files.put(key, raw);
  try {
    const stored = await store();
    if (stored.outcome !== 'stored') await deps.files.delete([key]);
    return stored;
  } catch (error) {
    if (isRolledBack(error)) await deps.files.delete([key]);
    throw error;
  }
};
