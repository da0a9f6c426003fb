import { Readable } from 'node:stream';
import type { RawMessage } from '@postrider/contract';
import { linkExpiry } from '../attachments/attachment.view.ts';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { type ByteRange, checkRange, type OpenedFile } from '../files/files.ts';
import { signFileUrl } from '../files/signed-url.ts';
import { ApiError } from '../lib/api-error.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import type { ParsedAttachment, ParseFailure } from '../mail/parse/parsed-mail.ts';
import { getMessage } from './find-message.ts';

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

/** Returns the SHA-256 of all that leaves this server of a message: its bytes and the addresses that they go to. */
export function contentHash(raw: Buffer, recipients: readonly { address: string; kind: string }[]): Buffer {
  const envelope = recipients.map(({ kind, address }) => `${kind} ${address}`).sort();
  return sha256(Buffer.concat([sha256(raw), Buffer.from(envelope.join('\n'))]));
}

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
        { message: 'The attachments cannot be read right now. Try again.', cause: detail },
      );
}

/**
 * Returns a signed link to the original of a message.
 *
 * @throws ApiError `not_found`.
 */
export async function linkToRaw(ctx: Context, id: string): Promise<RawMessage> {
  const message = await getMessage(ctx, id);
  const expiresAt = linkExpiry(ctx);
  return {
    url: signFileUrl(ctx.address.filesUrl, ctx.keys, {
      workspaceId: ctx.workspaceId,
      fileId: message.id,
      expiresAt,
    }),
    expires_at: expiresAt.toISOString(),
    size_bytes: message.size_bytes,
  };
}
