import { Readable } from 'node:stream';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { type ByteRange, checkRange, type OpenedFile } from '../files/files.ts';

/**
 * Up to this size an original is a row, written in the same commit as its message, because a file of its own costs four times as much.
 * Larger originals are files, so that the database holds little besides what is searched and listed.
 */
export const originalRowBytesMax = 65_536;

/** The ids that form the keys of a message's files. */
export interface MessageKey {
  workspace_id: string;
  inbox_id: string;
  id: string;
}

/** Returns the key of a message's original, if that is a file. */
export function rawKey(message: MessageKey): string {
  return `${message.workspace_id}/${message.inbox_id}/raw/${message.id}`;
}

/** Returns the original of a message; null if it is lost. */
export async function findOriginal(
  deps: Pick<Deps, 'db' | 'files'>,
  message: MessageKey,
): Promise<Buffer | null> {
  return (await findRow(deps, message)) ?? deps.files.read(rawKey(message));
}

/** Opens the original of a message or a range of it; null if it is lost. Rejects with a RangeError if the range starts beyond the end. */
export async function openOriginal(
  deps: Pick<Deps, 'db' | 'files'>,
  message: MessageKey,
  range?: ByteRange,
): Promise<OpenedFile | null> {
  const row = await findRow(deps, message);
  if (!row) return deps.files.open(rawKey(message), range);
  if (range) checkRange(range, row.length);
  const bytes = range ? row.subarray(range.start, range.end + 1) : row;
  return { stream: Readable.from([bytes], { objectMode: false }), sizeBytes: row.length };
}

async function findRow(deps: Pick<Deps, 'db'>, message: MessageKey): Promise<Buffer | null> {
  const row = await scoped({ db: deps.db, workspaceId: message.workspace_id })
    .selectFrom('originals')
    .select('raw')
    .where('message_id', '=', message.id)
    .executeTakeFirst();
  return row ? Buffer.from(row.raw) : null;
}
