/*
 * Mail clients mark quotations and signatures in their HTML, which is better evidence than any wording. The HTML is converted to text in
 * which each such element has left a mark on a line of its own.
 */
import type { FormatCallback, SelectorDefinition } from 'html-to-text';
import { createHtmlConverter } from '../parse/html-to-plain-text.ts';
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

/**
 * Elements with only the quotation. Those that also contain the sentence that announces it, such as moz-cite-prefix, may contain text that
 * a person wrote.
 */
const quoteSelectors = [
  'blockquote.gmail_quote',
  'blockquote[type="cite"]',
  '[class*="yahoo_quoted"]',
  'blockquote.protonmail_quote',
  'blockquote.tutanota_quote',
  'blockquote.spark_quote',
  'blockquote.missive_quote',
  'blockquote.freshdesk_quote',
  '#blockquote_zmail',
];
const cutSelectors = ['#divRplyFwdMsg', '#appendonsend', '[id*="mail-editor-reference-message-container"]'];
const signatureSelectors = [
  'div.gmail_signature',
  '.gmail_signature_prefix',
  '.moz-signature',
  '#Signature',
  '#ms-outlook-mobile-signature',
  '.protonmail_signature_block',
];

interface DomNode {
  data?: string;
  children?: DomNode[];
}

const dropQuotation: FormatCallback = (element, walk, builder) => {
  // A forward looks the same in HTML; only the words at its top differ.
  if (startsForward(element as DomNode)) {
    builder.openBlock({ leadingLineBreaks: 1 });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
  } else {
    addMark(builder, quoteMark);
  }
};

const cutHere: FormatCallback = (_element, _walk, builder) => addMark(builder, cutMark);

const frameQuotation: FormatCallback = (element, walk, builder) => {
  addMark(builder, openMark);
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
  addMark(builder, closeMark);
};

const dropSignature: FormatCallback = (_element, _walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.closeBlock({ trailingLineBreaks: 1 });
};

/** Returns whether HTML marks any quotations. */
export function hasQuotationMarkup(html: string): boolean {
  return evidencePattern.test(html);
}

function entries(selectors: string[], format: string): SelectorDefinition[] {
  return selectors.map((selector) => ({ selector, format }));
}

/** Converts HTML to text with marks in place of quotations. Signatures are left out if the client marked them. */
export const htmlToMarkedText: (html: string) => string = createHtmlConverter({
  selectors: [
    { selector: 'blockquote', format: 'frameQuotation' },
    ...entries(quoteSelectors, 'dropQuotation'),
    ...entries(cutSelectors, 'cutHere'),
    ...entries(signatureSelectors, 'dropSignature'),
  ],
  formatters: { dropQuotation, cutHere, frameQuotation, dropSignature },
});

function addMark(builder: Parameters<FormatCallback>[2], mark: string): void {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addInline(mark);
  builder.closeBlock({ trailingLineBreaks: 1 });
}

function startsForward(element: DomNode): boolean {
  const found: string[] = [];
  const pending: DomNode[] = [element];
  for (let visited = 0; pending.length > 0 && visited < 50 && found.length < 3; visited += 1) {
    const node = pending.pop();
    const text = node?.data?.replace(/\s+/g, ' ').trim();
    if (text) found.push(text);
    pending.push(...(node?.children ?? []).slice(0, 20).reverse());
  }
  return found.some(marksForward);
}
