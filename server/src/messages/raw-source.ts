import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import type { ParsedAttachment, ParseFailure } from '../mail/parse/parsed-mail.ts';
import { findOriginal, type MessageKey } from './originals.ts';

/** Where the bytes of an attachment are kept once they have been asked for. */
export const attachmentKey = (attachment: MessageKey): string =>
  `${attachment.workspace_id}/${attachment.inbox_id}/att/${attachment.id}`;

/**
 * The original of a message.
 *
 * @throws Error when the store has lost it.
 */
export const readRaw = async (deps: Pick<Deps, 'db' | 'files'>, message: MessageKey): Promise<Buffer> => {
  const raw = await findOriginal(deps, message);
  if (!raw) throw new Error(`The original of ${message.id} is missing from the store.`);
  return raw;
};

/**
 * The files of a message with their bytes, in the order of its attachments.
 *
 * @throws Error when the original cannot be read.
 */
export const readAttachments = async (
  deps: Pick<Deps, 'db' | 'files' | 'parser'>,
  message: MessageKey,
): Promise<(ParsedAttachment & { content: Buffer })[]> =>
  parseFiles(deps, await readRaw(deps, message), message.inbox_id);

/**
 * The files in the bytes of a message; where many are read, each owner gets turns.
 *
 * @throws Error when these cannot be read.
 */
export const parseFiles = async (
  deps: Pick<Deps, 'parser'>,
  raw: Buffer,
  owner = '',
): Promise<(ParsedAttachment & { content: Buffer })[]> => {
  const reading = await deps.parser.parse(raw, { withContent: true }, owner);
  if ('failed' in reading) throw cannotRead(reading);
  return reading.attachments.map((file) => ({ ...file, content: file.content ?? Buffer.alloc(0) }));
};

/** A reader that ran out of time or memory may have more of it soon; a mail that it cannot read stays so. */
const cannotRead = ({ failed, detail }: ParseFailure): Error =>
  failed === 'error'
    ? new Error(`The files of a message cannot be read: ${detail}`)
    : new ApiError(
        'unavailable',
        {},
        { message: 'Reading the attachments took too long: try again.', cause: detail },
      );
