/*
 * Reads documents of office programs: Office Open XML and OpenDocument, which are zip archives of XML. Only the files with text are
 * unpacked, and only tags are looked at, so that neither depth nor count of elements matters.
 */
import { unzipSync } from 'fflate';
import { collectText, type FileText, fileLimits, withoutText, withText } from './file-text.ts';
import { addMarkupText, addSheets, type MarkupRules } from './read-xml.ts';

interface Format {
  /** The file that every document of the format has. */
  mark: string;
  /** The files with text, in the order in which they are read. */
  parts: RegExp[];
  rules: MarkupRules;
}

const words = (text: string) => new Set(text.split(' '));

const officeOpen: Omit<MarkupRules, 'textIn'> = {
  lineAfter: words('p br cr tr'),
  blankAfter: words('tab tc'),
  // A fallback repeats what is before it, for older programs. A field of a slide has its number.
  without: words('Fallback fld'),
};

const formats: Format[] = [
  {
    mark: 'word/document.xml',
    parts: [/^word\/document\.xml$/, /^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/],
    rules: { ...officeOpen, textIn: words('t') },
  },
  {
    mark: 'ppt/presentation.xml',
    parts: [/^ppt\/slides\/slide\d+\.xml$/, /^ppt\/notesSlides\/notesSlide\d+\.xml$/],
    rules: { ...officeOpen, textIn: words('t') },
  },
  {
    mark: 'content.xml',
    parts: [/^content\.xml$/],
    rules: {
      textIn: words('body'),
      lineAfter: words('p h line-break table-row'),
      blankAfter: words('tab s table-cell'),
      without: words('tracked-changes'),
    },
  },
];
const sheetParts = [/^xl\/workbook\.xml$/, /^xl\/sharedStrings\.xml$/, /^xl\/worksheets\/sheet\d+\.xml$/];
const manifest = 'META-INF/manifest.xml';
const wanted = new RegExp(
  [...formats.flatMap(({ parts }) => parts), ...sheetParts, /^META-INF\/manifest\.xml$/]
    .map(({ source }) => source)
    .join('|'),
);

/** Returns the text of a document, a presentation or a spreadsheet. */
export function readOffice(bytes: Buffer): FileText {
  let archive: UnpackedArchive;
  try {
    archive = unpackArchive(bytes, wanted);
  } catch {
    return withoutText('failed');
  }
  if (archive.files.get(manifest)?.includes('encryption-data')) return withoutText('unsupported');
  const text = documentText(archive);
  if (text === null) return withoutText('unsupported');
  const read = withText(text);
  return read.status === 'empty' && archive.isCut ? withoutText('too_large') : read;
}

/** Returns the text of the first format that the archive has the mark of; null if it is something else. */
function documentText(archive: UnpackedArchive): string | null {
  const collector = collectText();
  if (archive.names.has('xl/workbook.xml')) {
    addSheets(archive.files, collector);
    return collector.text();
  }
  const format = formats.find(({ mark }) => archive.names.has(mark));
  if (!format) return null;
  for (const part of format.parts)
    for (const name of inOrder(archive.files, part)) {
      addMarkupText(archive.files.get(name) ?? '', format.rules, collector);
      collector.add('\n');
    }
  return collector.text();
}

/** Returns the names of the files that match, by the numbers in them: the tenth slide is not after the first. */
function inOrder(files: Map<string, string>, part: RegExp): string[] {
  const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);
  return [...files.keys()].filter((name) => part.test(name)).toSorted((a, b) => numberIn(a) - numberIn(b));
}

/** Those files of an archive that were wanted, by name, and whether some of them were too large to be unpacked. */
export interface UnpackedArchive {
  /** The names of all files in the archive. */
  names: Set<string>;
  files: Map<string, string>;
  isCut: boolean;
}

const entriesMax = 20_000;

/**
 * Unpacks the XML files of a zip archive whose names match, up to the limit for all of them together. They are only kept in memory, so a
 * name can lead nowhere. A file that claims to be smaller than it is ends there.
 *
 * @throws Error if the archive is damaged or has over 20,000 entries.
 */
export function unpackArchive(bytes: Buffer, wanted: RegExp): UnpackedArchive {
  const names = new Set<string>();
  let leftBytes: number = fileLimits.unpackedBytesMax;
  let [entries, isCut] = [0, false];
  const unpacked = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      entries += 1;
      if (entries > entriesMax) throw new Error(`The archive has over ${entriesMax} entries.`);
      // A name that is repeated would be unpacked each time.
      if (names.has(name)) return false;
      names.add(name);
      if (!wanted.test(name)) return false;
      if (originalSize > leftBytes) {
        isCut = true;
        return false;
      }
      leftBytes -= originalSize;
      return true;
    },
  });
  const files = Object.entries(unpacked).map(([name, content]) => [name, decodeXml(content)] as const);
  return { names, files: new Map(files), isCut };
}

function decodeXml(content: Uint8Array): string {
  const isUtf16 =
    (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  return new TextDecoder(isUtf16 ? (content[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(content);
}
