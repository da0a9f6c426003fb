import { strToU8, zipSync } from 'fflate';
import type { MadeFile } from '../corpus/made-mail.ts';
import { makePdf } from './make-pdf.ts';

/** Returns the bytes of a file, of the kind that its name says. */
export function makeFile({ name, text }: MadeFile): Buffer {
  if (name.endsWith('.pdf')) return makePdf(text);
  if (name.endsWith('.docx')) return makeDocx(text);
  return Buffer.from(text);
}

/** Creates the smallest package that word processors open (ECMA-376, part 2). */
function makeDocx(text: string): Buffer {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const paragraphs = text
    .trim()
    .split('\n')
    .map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`)
    .join('');
  const parts = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs}</w:body></w:document>`,
  };
  const declared = Object.entries(parts).map(([name, xml]) => [
    name,
    strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`),
  ]);
  return Buffer.from(zipSync(Object.fromEntries(declared), { mtime: new Date('2026-01-01T00:00:00') }));
}

/** Escapes the characters with a meaning in XML and HTML. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
