/*
 * The contents of a mail in a form that can be stored: no NUL, no lone surrogate, and every text and list of limited length. Anything that
 * does not fit is cut or left out, and only the raw source has it.
 *
 * How the parts are used:
 * - The body is every text/plain and text/html part that is not marked as an attachment. Alternatives are one body in two forms. Parts that
 *   follow each other are joined. A mail with only HTML gets its text from that, and one with only an invitation what it invites to.
 * - A second or later text part with a file name is an attachment even if it is marked inline: it is a file that some clients show. The
 *   first one is the body, whatever its name.
 * - Everything else is an attachment: files, images, calendar invitations, signatures, delivery reports. An attached message is one
 *   attachment and is not opened. The files in a winmail.dat stand for it, and its text is the body of a mail that has none. Only an AMP
 *   alternative is left out.
 * - An attachment is inline if the HTML shows it: it has a Content-ID, and either the HTML refers to that, or it is next to the HTML in
 *   multipart/related without being marked as an attachment.
 */
import type { StopReason } from '../../lib/concurrency/work-stopped.ts';
import type { ParsedHeader } from './map-header.ts';

/** A file in a mail. */
export interface ParsedAttachment {
  filename: string;
  mimeType: string;
  /** The Content-ID without its angle brackets. */
  contentId: string | null;
  inline: boolean;
  sizeBytes: number;
  /** The decoded bytes, if they were requested. */
  content?: Buffer;
}

/** A mail that was read. */
export interface ParsedMail extends ParsedHeader {
  text: string | null;
  /** The HTML as it was sent, which must be treated as hostile wherever it is shown. */
  html: string | null;
  /** The new text of a reply, without quoted history and signature. */
  extractedText: string | null;
  /** Whether `extractedText` covers only the first 250,000 characters. */
  isExtractedTextCut: boolean;
  /** Whether the HTML has text that a person does not see. It is in neither of the texts that are derived from the HTML. */
  hasHiddenText: boolean;
  attachments: ParsedAttachment[];
}

/** The reason why work on a mail was given up. */
export interface WorkFailure {
  failed: StopReason;
  detail: string;
  /**
   * Whether this is due to the mail, which used up its processor time or memory or failed when it had a thread to itself. Otherwise it says
   * nothing about the mail, and the same work may succeed later.
   */
  isFinal: boolean;
}

/** A mail that could not be read, with its header but without bodies and attachments. */
export interface ParseFailure extends WorkFailure {
  mail: ParsedMail;
}

/** The options for reading a mail. */
export interface ParseOptions {
  /** Whether attachments have their bytes. */
  withContent?: boolean;
  /** Replaces a missing From, and marks automatic mail if it is empty. */
  envelopeFrom?: string | null;
}
