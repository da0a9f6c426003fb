import { type AttachmentInput, limits } from '@postrider/contract';
import { ApiError } from '../lib/api-error.ts';
import type { OutgoingAttachment } from '../mail/compose/compose-attachment.ts';

/**
 * Messages 3: refuses files that are too large in all, before anything else is done.
 *
 * @throws ApiError `attachment_too_large`.
 */
export function checkAttachments(attachments: AttachmentInput[] | undefined): void {
  checkAttachmentBytes((attachments ?? []).map((file) => decodedBytes(file.content_base64)));
}

/** The same as `checkAttachments`, for sizes in bytes. */
export function checkAttachmentBytes(sizes: number[]): void {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > limits.attachmentBytesMax) {
    throw new ApiError('attachment_too_large', { limit_bytes: limits.attachmentBytesMax });
  }
}

/** Returns a function that decodes the files of a request; null if it has none. */
export function decodeLater(
  attachments: AttachmentInput[] = [],
): (() => Promise<OutgoingAttachment[]>) | null {
  return attachments.length === 0 ? null : async () => attachments.map(decodeAttachment);
}

/** Returns a file of a request as bytes. */
export function decodeAttachment(file: AttachmentInput): OutgoingAttachment {
  return {
    filename: file.filename,
    contentType: file.content_type ?? null,
    contentId: file.content_id ?? null,
    content: Buffer.from(file.content_base64, 'base64'),
  };
}

/** Returns the number of bytes in a base64 text without decoding it, in one pass, since the text may be 34 MB of anything. */
export function decodedBytes(base64: string): number {
  const bare = /[\r\n]/.test(base64) ? base64.replace(/[\r\n]+/g, '') : base64;
  const padding = bare.endsWith('==') ? 2 : bare.endsWith('=') ? 1 : 0;
  return Math.floor((bare.length * 3) / 4) - padding;
}
