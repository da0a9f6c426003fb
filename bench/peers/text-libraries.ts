import { compile, type HtmlToTextOptions } from 'html-to-text';

const plainly: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'table', options: { uppercaseHeaderCells: false } },
  ],
};
const asTables: HtmlToTextOptions = {
  ...plainly,
  selectors: [
    ...(plainly.selectors ?? []),
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
  ],
};

/** The library from npm that most programs take for the text of HTML, with its usual layout and with its layout of tables. */
export const textLibraries: Record<string, (html: string) => string> = {
  'html-to-text': compile(plainly),
  'html-to-text, tables': compile(asTables),
};
