/*
 * Mail clients mark quotations and signatures in their HTML, which is better evidence than any wording. The HTML is converted to text in
 * which each such element has left a mark on a line of its own.
 */
import type { Attributes } from '../html/read-elements.ts';
import type { ElementMark } from '../html/text-writer.ts';
import { readHtmlText } from '../parse/html-to-plain-text.ts';
import { marksForward } from './history-patterns.ts';

/** Replaces a quotation. */
export const quoteMark = '\ue000';
/** Marks the point after which everything is history. */
export const cutMark = '\ue001';
/** The marks around a quotation of unknown purpose, since some clients use one to indent text. */
export const openMark = '\ue002';
export const closeMark = '\ue003';

const evidencePattern =
  /gmail_quote|type\s*=\s*["']?cite\b|divRplyFwdMsg|appendonsend|yahoo_quoted|moz-cite-prefix|protonmail_quote|tutanota_quote|spark_quote|missive_quote|freshdesk_quote|blockquote_zmail|mail-editor-reference-message|<blockquote\b/i;

const quotationClasses = [
  'gmail_quote',
  'protonmail_quote',
  'tutanota_quote',
  'spark_quote',
  'missive_quote',
  'freshdesk_quote',
];
const signatureClasses = ['gmail_signature_prefix', 'moz-signature', 'protonmail_signature_block'];
const signatureIds = new Set(['Signature', 'ms-outlook-mobile-signature']);

const quotation = { kind: 'replace', mark: quoteMark, unless: startsForward } as const;

/**
 * Elements with only the quotation are marked. Those that also contain the sentence that announces it, such as moz-cite-prefix, may contain
 * text that a person wrote.
 */
function quotationMark(
  element: string,
  { id = '', class: names = '', type }: Attributes,
): ElementMark | null {
  const classes = names.split(/\s+/);
  const isQuotation =
    element === 'blockquote' &&
    (type === 'cite' || id === 'blockquote_zmail' || quotationClasses.some((one) => classes.includes(one)));
  if (isQuotation || names.includes('yahoo_quoted')) return quotation;
  if (
    id === 'divRplyFwdMsg' ||
    id === 'appendonsend' ||
    id.includes('mail-editor-reference-message-container')
  )
    return { kind: 'replace', mark: cutMark };
  const isSignature =
    signatureIds.has(id) ||
    signatureClasses.some((one) => classes.includes(one)) ||
    (element === 'div' && classes.includes('gmail_signature'));
  if (isSignature) return { kind: 'drop' };
  return element === 'blockquote' ? { kind: 'frame', before: openMark, after: closeMark } : null;
}

/** Returns whether HTML marks any quotations. */
export function hasQuotationMarkup(html: string): boolean {
  return evidencePattern.test(html);
}

/** Converts HTML to text with marks in place of quotations. Signatures are left out if the client marked them. */
export function htmlToMarkedText(html: string): string {
  return readHtmlText(html, quotationMark).text;
}

/** A forward looks the same in HTML; only the words at its top differ. */
function startsForward(lines: readonly string[]): boolean {
  return lines
    .slice(0, 6)
    .filter((line) => line !== '')
    .slice(0, 3)
    .some(marksForward);
}
