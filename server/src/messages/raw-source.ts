import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import type { ParsedAttachment, ParseFailure } from '../mail/parse/parsed-mail.ts';
import { findOriginal, type MessageKey } from './originals.ts';

/** Returns the key under which an attachment is stored once it has been requested. */
export function attachmentKey(attachment: MessageKey): string {
  return `${attachment.workspace_id}/${attachment.inbox_id}/att/${attachment.id}`;
}

/**
 * Returns the original of a message.
 *
 * @throws Error if the store has lost it.
 */
export async function readRaw(deps: Pick<Deps, 'db' | 'files'>, message: MessageKey): Promise<Buffer> {
  const raw = await findOriginal(deps, message);
  if (!raw) throw new Error(`The original of ${message.id} is missing from the store.`);
  return raw;
}

/**
 * Returns the files of a message with their bytes, in the order of its attachments.
 *
 * @throws Error if the original cannot be read.
 */
export async function readAttachments(
  deps: Pick<Deps, 'db' | 'files' | 'parser'>,
  message: MessageKey,
): Promise<(ParsedAttachment & { content: Buffer })[]> {
  return parseFiles(deps, await readRaw(deps, message), message.inbox_id);
}

/**
 * Returns the files in the bytes of a message. If many are being read, the owners take turns.
 *
 * @throws Error if the bytes cannot be read; ApiError `unavailable` if they cannot be read for now.
 */
export async function parseFiles(
  deps: Pick<Deps, 'parser'>,
  raw: Buffer,
  owner = '',
): Promise<(ParsedAttachment & { content: Buffer })[]> {
  const reading = await deps.parser.parse(raw, { withContent: true }, owner);
  if ('failed' in reading) throw cannotRead(reading);
  return reading.attachments.map((file) => ({ ...file, content: file.content ?? Buffer.alloc(0) }));
}

function cannotRead({ isFinal, detail }: ParseFailure): Error {
  return isFinal
    ? new Error(`The files of a message cannot be read: ${detail}`)
    : new ApiError(
        'unavailable',
        {},
        { message: 'The attachments could not be read for now: try again.', cause: detail },
      );
}
