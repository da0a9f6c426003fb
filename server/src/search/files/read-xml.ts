import { collectText, type TextCollector } from './file-text.ts';

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
  // The pronunciation of Japanese.
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
    .toSorted((a, b) => sheetNumber(a) - sheetNumber(b));
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

function sheetNumber(name: string): number {
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

/** The elements of a kind of XML that have text, and the form of that text. */
export interface MarkupRules {
  /** Only the text in these elements counts. */
  textIn: Set<string>;
  /** The elements that end a line. */
  lineAfter: Set<string>;
  /** The elements that are followed by a blank. */
  blankAfter: Set<string>;
  /** The elements whose text is left out. */
  without: Set<string>;
}

/** Adds the text of XML to a collector, until that is full. */
export function addMarkupText(xml: string, rules: MarkupRules, collector: TextCollector): void {
  let textDepth = 0;
  let leftOut: string | null = null;
  let leftOutDepth = 0;
  scanMarkup(xml, {
    open: (name) => {
      if (name === leftOut || (leftOut === null && rules.without.has(name))) {
        leftOut = name;
        leftOutDepth += 1;
      }
      if (rules.textIn.has(name)) textDepth += 1;
    },
    close: (name) => {
      if (name === leftOut) {
        leftOutDepth -= 1;
        if (leftOutDepth === 0) leftOut = null;
      }
      if (rules.textIn.has(name)) textDepth = Math.max(0, textDepth - 1);
      if (rules.lineAfter.has(name)) collector.add('\n');
      else if (rules.blankAfter.has(name)) collector.add(' ');
    },
    text: (text) => {
      if (textDepth > 0 && leftOut === null) collector.add(text);
    },
    isDone: () => collector.isFull(),
  });
}

/** Called with what is found in markup, in its order. Names are without their prefix. */
interface MarkupHandler {
  /** `tag` returns the whole tag, for its attributes. */
  open(name: string, tag: () => string): void;
  /** Also called for self-closing elements. */
  close(name: string): void;
  text(text: string): void;
  /** Whether the rest is not needed. */
  isDone(): boolean;
}

const namePattern = /\/?(?:[^\s/>:]+:)?([^\s/>]*)/y;

/**
 * Finds tags and text of XML, in one pass and in linear time for any input. Nesting is not followed, and entities other than the five
 * predefined ones and numbers are not known, so neither can be used against the reader. XML that is cut ends where it ends.
 */
function scanMarkup(xml: string, handler: MarkupHandler): void {
  let at = 0;
  while (at < xml.length && !handler.isDone()) {
    const open = indexOrEnd(xml, '<', at);
    if (open > at) handler.text(decodeEntities(xml.slice(at, open)));
    if (xml.startsWith('<!--', open)) at = indexOrEnd(xml, '-->', open) + 3;
    else if (xml.startsWith('<![CDATA[', open)) {
      const end = indexOrEnd(xml, ']]>', open);
      handler.text(xml.slice(open + 9, end));
      at = end + 3;
    } else {
      const end = indexOrEnd(xml, '>', open);
      if (end < xml.length) report(xml, open, end, handler);
      at = end + 1;
    }
  }
}

function report(xml: string, open: number, end: number, handler: MarkupHandler): void {
  namePattern.lastIndex = open + 1;
  const name = namePattern.exec(xml)?.[1] ?? '';
  if (name === '' || name.startsWith('?') || name.startsWith('!')) return;
  const isClosing = xml[open + 1] === '/';
  if (!isClosing) handler.open(name, () => xml.slice(open, end + 1));
  if (isClosing || xml[end - 1] === '/') handler.close(name);
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index < 0 ? text.length : index;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns text of XML without references to characters. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([\da-fA-F]{1,6}));/g,
    (whole, name, decimal, hex) => {
      if (name) return entities[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}
