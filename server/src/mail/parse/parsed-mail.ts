/*
 * What a mail says, in terms that can be stored: no NUL, no lone surrogate, every text and list of bounded length. Whatever
 * does not fit is cut or left out; the raw source keeps it.
 *
 * Which part becomes what:
 * - The body is every text/plain and text/html part that is not marked as an attachment. Alternatives are one body in two
 *   forms; parts that follow each other are joined. A mail with only HTML gets its text from it.
 * - A second or later text part with a file name is an attachment even when it is marked inline: it is a file that some
 *   clients show. The first one is the body, whatever it is called.
 * - Everything else is an attachment: files, images, calendar invitations, signatures, reports on deliveries. An attached
 *   message is one attachment and is not opened; nor is winmail.dat. Only an AMP alternative is neither.
 * - An attachment is inline when the HTML shows it: it has a Content-ID, and the HTML refers to that, or it stands beside
 *   the HTML in multipart/related without being marked as an attachment.
 */
import type { NamedAddress } from '../../lib/email-address.ts';

/** A file that came with a mail. */
export interface ParsedAttachment {
  filename: string;
  mimeType: string;
  /** The Content-ID without its angle brackets. */
  contentId: string | null;
  inline: boolean;
  sizeBytes: number;
  /** The decoded bytes, where they were asked for. */
  content?: Buffer;
}

/** The header of a mail. Ids have their angle brackets; addresses are in their one spelling wherever they are addresses. */
export interface ParsedHeader {
  messageId: string | null;
  inReplyTo: string[];
  /** Oldest first, each id once; of more than 500 the first one and the last 499. */
  references: string[];
  subject: string;
  /** Null only when neither header nor envelope names a sender. Its address is whatever the header said if that is no address. */
  from: NamedAddress | null;
  sender: NamedAddress | null;
  to: NamedAddress[];
  cc: NamedAddress[];
  bcc: NamedAddress[];
  replyTo: NamedAddress[];
  date: Date | null;
  /** By RFC 3834 and the signs of mailing lists: nobody waits for an answer to this mail. */
  autoSubmitted: boolean;
  receivedCount: number;
}

/** A mail that was read. */
export interface ParsedMail extends ParsedHeader {
  text: string | null;
  /** As it was sent: whoever shows it must treat it as hostile. */
  html: string | null;
  /** The new text of a reply, without quoted history and signature. */
  extractedText: string | null;
  /** Whether it is the new text of the first 250,000 characters alone. */
  isExtractedTextCut: boolean;
  attachments: ParsedAttachment[];
}

/** A mail that could not be read: what its header says, without bodies and attachments. */
export interface ParseFailure {
  failed: 'timeout' | 'memory' | 'error';
  detail: string;
  mail: ParsedMail;
}

/** How a mail is to be read. */
export interface ParseOptions {
  /** Whether attachments carry their bytes. */
  withContent?: boolean;
  /** Stands in for a missing From, and tells automatic mail when it is empty. */
  envelopeFrom?: string | null;
}

/** Bounds of what is taken from one mail. */
export const parseLimits = {
  bodyBytesMax: 5 * 1_048_576,
  subjectLengthMax: 2_000,
  nameLengthMax: 255,
  addressLengthMax: 320,
  /** Of each field, and how many characters they have together. */
  addressesMax: 2_000,
  addressCharactersMax: 65_536,
  inReplyToMax: 100,
  /** The first one and the last ones. */
  referencesMax: 500,
  idLengthMax: 995,
  mimeTypeLengthMax: 127,
  headerBytesMax: 4 * 1_048_576,
  /** Lines that can begin a field, of which the kept ones are fewer. */
  headerStartsMax: 20_000,
  headerFieldsMax: 2_000,
  headerFieldBytesMax: 131_072,
} as const;
