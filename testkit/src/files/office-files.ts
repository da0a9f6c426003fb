import { strToU8, type Zippable, zipSync } from 'fflate';

/** Returns a zip archive with these files. A list of bytes and options stands for a file with options of its own. */
export function archiveOf(files: Record<string, string | Zippable[string]>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

/** Returns text as it is written in XML. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Returns a document of Word with these paragraphs. */
export function docxOf(...paragraphs: string[]): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`).join('');
  return docxWith(body);
}

/** Returns a document of Word with this XML in its body. */
export function docxWith(body: string): Buffer {
  return archiveOf({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`,
  });
}

/** Returns a text document of OpenDocument with these paragraphs. */
export function odtOf(...paragraphs: string[]): Buffer {
  const body = paragraphs.map((text) => `<text:p>${escapeXml(text)}</text:p>`).join('');
  return archiveOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'content.xml': `<office:document-content><office:automatic-styles>style</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  });
}

/** Returns a presentation with a slide for each text, stored in the order of their names as text: 1, 10, 2. */
export function pptxOf(...slides: string[]): Buffer {
  const files = slides.map((text, index): [string, string] => [
    `ppt/slides/slide${index + 1}.xml`,
    `<p:sld><a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p></p:sld>`,
  ]);
  return archiveOf({
    'ppt/presentation.xml': '<p:presentation/>',
    ...Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
}

/** Returns a spreadsheet with one sheet. Texts are shared, and numbers are in their cells. */
export function xlsxOf(name: string, rows: (string | number)[][]): Buffer {
  const texts = rows.flat().filter((cell) => typeof cell === 'string');
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="s"><v>${texts.indexOf(value)}</v></c>`;
  return archiveOf({
    'xl/workbook.xml': `<workbook><sheets><sheet name="${name}" sheetId="1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`,
  });
}
