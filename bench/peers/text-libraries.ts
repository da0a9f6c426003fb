import { compile } from 'html-to-text';

const plain = compile({ wordwrap: false });
const tables = compile({ wordwrap: false, selectors: [{ selector: 'table', format: 'dataTable' }] });

/** The library from npm that most programs take for the text of HTML, as it comes and with its layout of tables. */
export const textLibraries: Record<string, (html: string) => string> = {
  'html-to-text': plain,
  'html-to-text, tables': tables,
};
