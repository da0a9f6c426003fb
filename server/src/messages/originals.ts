import { Readable } from 'node:stream';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { checkRange } from '../files/file-key.ts';
import type { ByteRange, OpenedFile } from '../files/files.ts';

/**
 * Up to this size an original is a row beside its message, written with it in one commit: a file of its own costs four times as
 * much. Larger ones are files, so that the database keeps to what is searched and listed.
 */
export const originalRowBytesMax = 65_536;

/** What names a message's files. */
export interface MessageKey {
  workspace_id: string;
  inbox_id: string;
  id: string;
}

/** Where the original of a message is kept as a file. */
export const rawKey = (message: MessageKey): string =>
  `${message.workspace_id}/${message.inbox_id}/raw/${message.id}`;

/** The original of a message, or null when it is lost. */
export const findOriginal = async (
  deps: Pick<Deps, 'db' | 'files'>,
  message: MessageKey,
): Promise<Buffer | null> => (await findRow(deps, message)) ?? deps.files.read(rawKey(message));

/** Opens the original of a message, or a range of it; null when it is lost. Rejects with a RangeError for a start behind the end. */
export const openOriginal = async (
  deps: Pick<Deps, 'db' | 'files'>,
  message: MessageKey,
  range?: ByteRange,
): Promise<OpenedFile | null> => {
  const row = await findRow(deps, message);
  if (!row) return deps.files.open(rawKey(message), range);
  if (range) checkRange(range, row.length);
  const bytes = range ? row.subarray(range.start, range.end + 1) : row;
  return { stream: Readable.from([bytes], { objectMode: false }), sizeBytes: row.length };
};

const findRow = async (deps: Pick<Deps, 'db'>, message: MessageKey): Promise<Buffer | null> => {
  const row = await scoped({ db: deps.db, workspaceId: message.workspace_id })
    .selectFrom('originals')
    .select('raw')
    .where('message_id', '=', message.id)
    .executeTakeFirst();
  return row ? Buffer.from(row.raw) : null;
};
