import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import type { MadeFile } from '../corpus/made-mail.ts';

const lineMax = 90;

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

/** Creates a PDF of one page that shows a text in Helvetica. Throws if the text has letters beyond Latin-1. */
function makePdf(given: string): Buffer {
  // The narrow space of French amounts is not in Latin-1.
  const text = given.replaceAll('\u202f', '\u00a0');
  const lines = text.trim().split('\n').flatMap(wrapLine);
  if (/[^\n -~\u00a0-\u00ff]/.test(text)) throw new Error('A made PDF can show only letters of Latin-1.');
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj T*`).join('\n');
  const content = deflateSync(Buffer.from(`BT /F1 11 Tf 50 780 Td 14 TL\n${shown}\nET`, 'latin1'));
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
  ];
  return joinObjects(objects);
}

function wrapLine(line: string): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length >= lineMax) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** Numbers the objects and adds the table of their places (ISO 32000-1, section 7.5.4). */
function joinObjects(objects: Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let length = parts[0]!.length;
  for (const [at, object] of objects.entries()) {
    places.push(length);
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`)]);
}
