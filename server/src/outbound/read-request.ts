import { type AttachmentInput, limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { type NamedAddress, parseMailbox } from '../lib/email-address.ts';
import type { OutgoingAttachment } from '../mail/compose/compose-attachment.ts';
import { isUnknownToSimulator, simulatedNames } from '../mail/transports/simulator.ts';
import type { OutgoingRecipient } from './allow-recipients.ts';

type RecipientLists = Partial<Record<OutgoingRecipient['kind'], string[] | undefined>>;

/**
 * Returns the recipients of a request, each address once: an address in To is left out of Cc and Bcc.
 *
 * @throws ApiError `invalid_request` for one that passes for an address and cannot be mailed, such as a domain that is too
 * long once it is spelled in ASCII, and for a name that the simulator does not have.
 */
export function readRecipients(
  { config }: Pick<Context, 'config'>,
  lists: RecipientLists,
): OutgoingRecipient[] {
  return eachOnce(lists, (mailbox, field) => {
    if (!mailbox) throw invalidField(field, 'must be an address that can receive mail');
    if (isUnknownToSimulator(mailbox.address, config.mailDomain)) throw invalidField(field, unknownName);
  });
}

const unknownName = `must be one of ${simulatedNames.join(', ')} at the simulator, with or without a +tag`;

/** Returns the recipients that a stored message names, each address once. Anything there that is no address is skipped. */
export function recipientsFrom(lists: RecipientLists): OutgoingRecipient[] {
  return eachOnce(lists);
}

/** Returns every address that a request names, whether mail can be sent to it or not. */
export function namedAddresses(lists: RecipientLists): string[] {
  return recipientsFrom(lists).map((recipient) => recipient.address);
}

function eachOnce(
  lists: RecipientLists,
  check?: (mailbox: NamedAddress | null, field: string) => void,
): OutgoingRecipient[] {
  const found = new Map<string, OutgoingRecipient>();
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const [index, text] of (lists[kind] ?? []).entries()) {
      const mailbox = parseMailbox(text);
      check?.(mailbox, `${kind}.${index}`);
      if (mailbox && !found.has(mailbox.address)) found.set(mailbox.address, { ...mailbox, kind });
    }
  }
  return [...found.values()];
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
