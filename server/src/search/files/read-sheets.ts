import { collectText, type TextCollector } from './collect-text.ts';
import { addMarkupText, type MarkupRules } from './markup-text.ts';
import { decodeEntities, scanMarkup } from './scan-markup.ts';

/** More texts than the text of a file has room for. */
const sharedMax = 300_000;
const cellLengthMax = 32_767;
const sheetName = /^xl\/worksheets\/sheet(\d+)\.xml$/;
const sheetTitle = /\sname="([^"]{1,200})"/;
const tagLengthMax = 1_000;
const rules: MarkupRules = {
  textIn: new Set(['t']),
  lineAfter: new Set(['si']),
  blankAfter: new Set(),
  // How Japanese is pronounced.
  without: new Set(['rPh']),
};

/**
 * Adds the text of a spreadsheet: the names of its sheets, and their cells line by line. A cell names its text by the place in a list
 * that all sheets share. If no sheet could be unpacked, the list is read alone.
 */
export function addSheets(files: Map<string, string>, collector: TextCollector): void {
  addNames(files.get('xl/workbook.xml') ?? '', collector);
  const shared = files.get('xl/sharedStrings.xml') ?? '';
  const sheets = [...files.keys()]
    .filter((name) => sheetName.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  if (sheets.length === 0) addMarkupText(shared, rules, collector);
  const texts = sheets.length === 0 ? [] : readShared(shared);
  for (const name of sheets) addCells(files.get(name) ?? '', texts, collector);
}

/** Adds the names of sheets. */
function addNames(xml: string, collector: TextCollector): void {
  scanMarkup(xml, {
    open: (name, tag) => {
      const title = name === 'sheet' ? sheetTitle.exec(tag().slice(0, tagLengthMax))?.[1] : undefined;
      if (title) collector.add(`${decodeEntities(title)}\n`);
    },
    close: () => {},
    text: () => {},
    isDone: () => collector.isFull(),
  });
}

function numberOf(name: string): number {
  return Number(sheetName.exec(name)?.[1]);
}

/** Returns the texts that cells refer to. */
function readShared(xml: string): string[] {
  const texts: string[] = [];
  let text = collectText(cellLengthMax);
  let inPhonetic = false;
  let inText = false;
  scanMarkup(xml, {
    open: (name) => {
      if (name === 'si') text = collectText(cellLengthMax);
      else if (name === 'rPh') inPhonetic = true;
      else if (name === 't') inText = true;
    },
    close: (name) => {
      if (name === 'si') texts.push(text.text());
      else if (name === 'rPh') inPhonetic = false;
      else if (name === 't') inText = false;
    },
    text: (piece) => {
      if (inText && !inPhonetic) text.add(piece);
    },
    isDone: () => texts.length >= sharedMax,
  });
  return texts;
}

/** Adds the cells of a sheet: texts, and numbers and results of formulas as they are stored. */
function addCells(xml: string, texts: string[], collector: TextCollector): void {
  let isShared = false;
  let inValue = false;
  scanMarkup(xml, {
    open: (name, tag) => {
      if (name === 'c') isShared = /\bt="s"/.test(tag());
      else if (name === 'v' || name === 't') inValue = true;
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'c') collector.add(' ');
      else if (name === 'row') collector.add('\n');
    },
    text: (piece) => {
      if (inValue) collector.add(isShared ? (texts[Number(piece)] ?? '') : piece);
    },
    isDone: () => collector.isFull(),
  });
}
