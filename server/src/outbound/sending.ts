import { type AttachmentInput, type DroppedRecipient, limits, type Metadata } from '@postrider/contract';
import { ApiError } from '../lib/api-error.ts';
import type { NamedAddress } from '../lib/email-address.ts';
import type { OutgoingAttachment } from '../mail/compose/compose-attachment.ts';
import type { Controls } from '../policies/controls.ts';
import type { SenderRequest, SendingInbox } from './find-sender.ts';
import type { DraftClaim } from './store-send.ts';

/** A message that a caller wants sent. New messages, replies, forwards and drafts differ in nothing else. */
export interface SendRequest extends SenderRequest {
  /** Writes the message. Called once it is known that it was not sent before, and that the inbox may send. */
  write(inbox: SendingInbox): Outgoing | Promise<Outgoing>;
  /** The draft that becomes the message. */
  draft?: DraftClaim;
}

/** One recipient as the sender wrote it. */
export interface OutgoingRecipient extends NamedAddress {
  kind: 'to' | 'cc' | 'bcc';
}

/** The fields by which a message names those before it. */
export interface ThreadingHeaders {
  inReplyTo: string | null;
  references: string[];
  threadIndex: string | null;
}

/** A message as its sender wrote it. */
export interface Outgoing extends ThreadingHeaders {
  recipients: OutgoingRecipient[];
  replyTo: string | null;
  subject: string;
  text: string | null;
  html: string | null;
  headers: Record<string, string>;
  metadata: Metadata;
  /** The thread of the message; null to find it by the ids that the message names. */
  threadId: string | null;
  /** Returns the files, and is called once the message will be sent. Null if it has none. */
  attachments: (() => Promise<OutgoingAttachment[]>) | null;
}

/** The recipients that get a message, and those that are left out, with the reason. */
export interface Deliverable {
  recipients: OutgoingRecipient[];
  dropped: DroppedRecipient[];
}

/** A message that nothing holds back. */
export interface Sending extends Deliverable {
  request: SenderRequest & Pick<SendRequest, 'draft'>;
  inbox: SendingInbox;
  controls: Controls;
  outgoing: Outgoing;
}

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
