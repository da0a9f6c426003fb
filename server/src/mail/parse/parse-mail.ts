import { cleanText, cutBytes } from '../../lib/clean-text.ts';
import { readReply } from '../reply/extract-reply.ts';
import { chooseText } from './choose-text.ts';
import { decodeUnlabelled } from './decode-unlabelled.ts';
import { joinBodies } from './join-bodies.ts';
import { mapHeader } from './map-header.ts';
import { nameAttachments } from './name-attachments.ts';
import { parseLimits } from './parse-limits.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';
import { readHeader, readHeaderFields } from './read-header-fields.ts';
import { type MimeContent, readMime } from './read-mime.ts';

/** Reads a whole mail, however long that takes. If its structure makes it unreadable, the result is a failure with its header. */
export async function parseMail(raw: Buffer, options: ParseOptions): Promise<ParsedMail | ParseFailure> {
  const header = mapHeader(readHeaderFields(raw), options.envelopeFrom ?? null);
  try {
    const content = await readMime(raw, options.withContent === true);
    const { text, html, seen } = joinBodies(content.root);
    const body = text ?? readLooseText(raw, content);
    const answers = header.inReplyTo.length > 0 || header.references.length > 0;
    const { subject, autoSubmitted: automatic } = header;
    const reply = readReply(chooseText(body, seen), html, { subject, answers, automatic });
    return {
      ...header,
      text: body,
      html,
      extractedText: reply.text,
      isExtractedTextCut: reply.isCut,
      hasHiddenText: (seen?.hidden.length ?? 0) > 0,
      attachments: nameAttachments(content.files, html),
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { failed: 'error', detail, isFinal: true, mail: { ...header, ...nothingRead } };
  }
}

/** Longer header fields are cut, because reading them would take too much time of the main thread. */
const fieldBytesMax = 16_384;

/** Returns the header of a mail whose body must not be read, in a few milliseconds at most. */
export function parseHeaderOnly(raw: Buffer, options: ParseOptions): ParsedMail {
  const header = mapHeader(readHeaderFields(raw, fieldBytesMax), options.envelopeFrom ?? null);
  return { ...header, ...nothingRead };
}

const nothingRead = {
  text: null,
  html: null,
  extractedText: null,
  isExtractedTextCut: false,
  hasHiddenText: false,
  attachments: [],
};

/** Returns the text after the header of a mail that declares parts and has none, such as one without a boundary. */
function readLooseText(raw: Buffer, { root, files }: MimeContent): string | null {
  const promisesParts = root !== null && String(root.contentType).startsWith('multipart/');
  if (!promisesParts || root.children.length > 0 || files.length > 0) return null;
  const { bodyStart } = readHeader(raw);
  const body = raw.subarray(bodyStart, bodyStart + parseLimits.bodyBytesMax);
  const text = cutBytes(cleanText(decodeUnlabelled(body)), parseLimits.bodyBytesMax).text.trim();
  return text === '' ? null : text;
}
