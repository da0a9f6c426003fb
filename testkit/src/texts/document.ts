/** The content of a mail. */
export interface Document {
  kind: string;
  preview: string;
  title: string;
  intro: string;
  headings: string[];
  /** Each row has as many cells as there are headings. */
  rows: string[][];
  totals: [string, string][];
  address: string[];
  button: string;
  footer: string[];
}

/** A program that lays out documents. */
export interface Sender {
  name: string;
  /** Whether its layout hides the preview. */
  hidesPreview: boolean;
  layOut(document: Document): string;
}
