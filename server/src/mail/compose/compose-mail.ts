import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MimeNodeAddress } from 'nodemailer/lib/mime-node';
import type { NamedAddress } from '../../lib/email-address.ts';
import { type OutgoingAttachment, type PlacedAttachment, placeAttachment } from './compose-attachment.ts';
import { type CheckedMail, composeText, isEncodedAtOnce } from './compose-text.ts';
import {
  customFields,
  encodeText,
  type HeaderField,
  keepReferences,
  requireHeaderSafe,
  requireMessageId,
} from './header-fields.ts';
import { normalizeBody } from './normalize-body.ts';

/** A message before it is composed. It has no Bcc: blind recipients appear only in the envelope. */
export interface OutgoingMail {
  from: NamedAddress;
  /** Addresses with or without names. */
  to: (string | NamedAddress)[];
  cc?: (string | NamedAddress)[] | undefined;
  replyTo?: (string | NamedAddress)[] | undefined;
  subject: string;
  text?: string | null | undefined;
  html?: string | null | undefined;
  /** With its angle brackets, like all ids here. */
  messageId: string;
  inReplyTo?: string | null | undefined;
  references?: string[] | undefined;
  /** Additional fields, by name. The caller decides which names a user may set. */
  headers?: Record<string, string> | undefined;
  date: Date;
  attachments?: OutgoingAttachment[] | undefined;
  /** Marks an automatic reply, to which other automatic systems must not reply (RFC 3834, section 5). */
  autoReplied?: boolean | undefined;
}

/**
 * Returns the message as it is sent (RFC 5322 and MIME): with CRLF, only ASCII except for UTF-8 addresses (RFC 6532), and no line over 998
 * octets. The same input gives the same bytes. Throws `UnsafeHeader` if CR, LF or NUL would get into a header.
 */
export async function composeMail(mail: OutgoingMail): Promise<Buffer> {
  const [html, text] = [mail.html, mail.text].map((body) =>
    typeof body === 'string' ? normalizeBody(body) : undefined,
  );
  const attachments = (mail.attachments ?? []).map((attachment) => placeAttachment(attachment, html));
  const references = keepReferences(mail.references ?? []);
  const [inReplyTo] = keepReferences(mail.inReplyTo ? [mail.inReplyTo] : []);
  const checked: CheckedMail = {
    from: toAddress(mail.from),
    // RFC 5322, section 3.4: a message that has only blind recipients names an empty group.
    to: mail.to.length > 0 || mail.cc?.length ? mail.to.map(toAddress) : 'Undisclosed recipients:;',
    cc: mail.cc?.map(toAddress),
    replyTo: mail.replyTo?.map(toAddress),
    messageId: requireMessageId(mail.messageId),
    inReplyTo,
    references: references.length > 0 ? references : undefined,
    date: mail.date,
    headers: extraFields(mail),
    subject: encodeText(mail.subject, 'The subject'),
    text,
    html,
    boundaryPrefix: '----=_Part',
    baseBoundary: hashParts(mail.messageId, text, html, attachments),
  };
  const plain = attachments.length === 0 && isEncodedAtOnce(text) && isEncodedAtOnce(html);
  return plain ? composeText(checked) : composeParts(checked, attachments);
}

function composeParts({ subject, ...mail }: CheckedMail, attachments: PlacedAttachment[]): Promise<Buffer> {
  const message = new MailComposer({
    ...mail,
    attachments,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return message.setHeader('Subject', subject).build();
}

function extraFields(mail: OutgoingMail): HeaderField[] {
  const fields = customFields(mail.headers ?? {});
  if (mail.autoReplied) fields.push({ key: 'Auto-Submitted', value: 'auto-replied' });
  return fields;
}

function toAddress(mailbox: string | NamedAddress): MimeNodeAddress {
  const { name, address } = typeof mailbox === 'string' ? { name: null, address: mailbox } : mailbox;
  if (address === '') throw new TypeError('An address in a header is empty.');
  return {
    name: requireHeaderSafe(name ?? '', 'A name').toWellFormed(),
    address: requireHeaderSafe(address, 'An address'),
  };
}

/** Returns a boundary that no part can contain, since each part is an input of the hash, and that is the same for the same message. */
function hashParts(
  messageId: string,
  text: string | undefined,
  html: string | undefined,
  attachments: PlacedAttachment[],
): string {
  const hash = createHash('sha256');
  for (const part of [messageId, text ?? '', html ?? '']) hash.update(`${part.length}:${part}`);
  // Base64 cannot hold a boundary, whose hyphens are not in its alphabet.
  for (const { content, contentTransferEncoding } of attachments)
    if (contentTransferEncoding !== 'base64') hash.update(content);
  return hash.digest('hex').slice(0, 32);
}
