import { wordsOf } from '../html/words-of.ts';
import { readReply } from '../reply/extract-reply.ts';
import { bodyCharset } from './body-charset.ts';
import type { HtmlText } from './html-to-plain-text.ts';
import { mapHeader, type ParsedHeader } from './map-header.ts';
import { nameAttachments } from './name-attachments.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';
import { onlyPoints } from './pointing-text.ts';
import { readContents } from './read-contents.ts';
import { readHeader } from './read-header-fields.ts';

/** Fewer words may be in both by chance, such as a name. */
const sharedWordsMin = 3;

/** Reads a whole mail, however long that takes. If its structure makes it unreadable, the result is a failure with its header. */
export async function parseMail(raw: Buffer, options: ParseOptions): Promise<ParsedMail | ParseFailure> {
  const header = readMailHeader(raw, options);
  try {
    const { text, html, seen, files } = await readContents(raw, options.withContent === true);
    const answers = header.inReplyTo.length > 0 || header.references.length > 0;
    const { subject, autoSubmitted: automatic } = header;
    const reply = readReply(chooseText(text, seen), html, { subject, answers, automatic });
    return {
      ...header,
      text,
      html,
      extractedText: reply.text,
      isExtractedTextCut: reply.isCut,
      hasHiddenText: (seen?.hidden.length ?? 0) > 0,
      attachments: nameAttachments(files, html),
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
  return { ...readMailHeader(raw, options, fieldBytesMax), ...nothingRead };
}

function readMailHeader(raw: Buffer, { envelopeFrom = null }: ParseOptions, bytesMax?: number): ParsedHeader {
  const header = readHeader(raw, bytesMax);
  const isUnlabelled = header.fields.some((field) => field.isUnlabelled);
  return mapHeader(header.fields, { envelopeFrom, charset: isUnlabelled ? bodyCharset(raw, header) : null });
}

const nothingRead = {
  text: null,
  html: null,
  extractedText: null,
  isExtractedTextCut: false,
  hasHiddenText: false,
  attachments: [],
};

/**
 * Returns the text that a mail has for a person: its text part, or that of the HTML if the text part only points to it or says what the
 * HTML hides.
 */
function chooseText(text: string | null, seen: HtmlText | null): string | null {
  if (text === null || seen === null || text === seen.text) return text;
  if (onlyPoints(text, seen.text)) return seen.text;
  if (seen.hidden.length === 0) return text;
  const words = wordsOf(text);
  const saysHidden = seen.hidden.some(
    (hidden) => hidden.trim().split(' ').length >= sharedWordsMin && words.includes(hidden),
  );
  return saysHidden ? seen.text : text;
}
