/*
 * Receipts, invoices, journeys, reports and parcels as HTML, in the layouts of those who send them, with what their text has to say line
 * by line. Half of them is for tuning. The other half has other senders and other documents, and was not looked at while the reader was
 * written.
 */
import { heldOutDocuments, tunedDocuments } from './documents.ts';
import { heldOutSenders } from './senders-held-out.ts';
import { tunedSenders } from './senders-tuned.ts';

export type TextHalf = 'tuned' | 'held out';

/** An HTML mail, and what has to be in its text. */
export interface MadeText {
  half: TextHalf;
  sender: string;
  kind: string;
  html: string;
  /** Cells that stand on one line, in their order, and never touch. */
  rows: string[][];
  /** Texts that have a line of their own. */
  lines: string[];
  /** Texts that a person does not see. */
  absent: string[];
}

/** Returns every document of the half in the layout of every sender. */
export function makeTexts(half: TextHalf): MadeText[] {
  const [documents, senders] =
    half === 'tuned' ? [tunedDocuments, tunedSenders] : [heldOutDocuments, heldOutSenders];
  return senders.flatMap(({ name, hidesPreview, layOut }) =>
    documents.map((document) => ({
      half,
      sender: name,
      kind: document.kind,
      html: layOut(document),
      rows: [...document.rows, ...document.totals],
      lines: [document.title, document.intro, ...document.address],
      absent: hidesPreview ? [document.preview] : [],
    })),
  );
}
