import { strToU8, type Zippable, zipSync } from 'fflate';

/** Returns a zip archive with these files. A list of bytes and options stands for a file with options of its own. */
export function makeArchive(files: Record<string, string | Zippable[string]>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

/** Bytes that are compressed already, and the size that they claim to have unpacked. */
export interface PackedFile {
  packed: Buffer;
  sizeBytes: number;
}

/** Returns a zip archive with one compressed file, whose entry is in its directory `entries` times. */
export function archiveOfPacked(name: string, { packed, sizeBytes }: PackedFile, entries = 1): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(sizeBytes, 18);
  common.writeUInt16LE(name.length, 22);
  const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(entry.length * entries, 12);
  end.writeUInt32LE(file.length, 16);
  return Buffer.concat([file, Buffer.alloc(entry.length * entries, entry), end]);
}

/** Returns text as it is written in XML. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Returns a document of Word with these paragraphs. */
export function makeDocx(...paragraphs: string[]): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`).join('');
  return docxWith(body);
}

/** Returns a document of Word with this XML in its body. */
export function docxWith(body: string): Buffer {
  return makeArchive({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`,
  });
}

/** Returns a text document of OpenDocument with these paragraphs. */
export function makeOdt(...paragraphs: string[]): Buffer {
  const body = paragraphs.map((text) => `<text:p>${escapeXml(text)}</text:p>`).join('');
  return makeArchive({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'content.xml': `<office:document-content><office:automatic-styles>style</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  });
}

/** Returns a presentation with a slide for each text, stored in the order of their names as text: 1, 10, 2. */
export function makePptx(...slides: string[]): Buffer {
  const files = slides.map((text, index): [string, string] => [
    `ppt/slides/slide${index + 1}.xml`,
    `<p:sld><a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p></p:sld>`,
  ]);
  return makeArchive({
    'ppt/presentation.xml': '<p:presentation/>',
    ...Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
}

/** Returns a spreadsheet with one sheet, whose name is written as it is. Texts are shared, and numbers are in their cells. */
export function makeXlsx(name: string, rows: (string | number)[][]): Buffer {
  const texts = rows.flat().filter((cell) => typeof cell === 'string');
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="s"><v>${texts.indexOf(value)}</v></c>`;
  return makeArchive({
    'xl/workbook.xml': `<workbook><sheets><sheet name="${name}" sheetId="1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`,
  });
}
