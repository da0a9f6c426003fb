import { deflateSync } from 'node:zlib';

/** The body of an object of a PDF: a dictionary or another value, and the bytes of its stream if it has one. */
export type PdfObject = string | { dictionary: string; stream: Buffer };

/** Returns a PDF of these objects, the first of which is the catalog, with a table of where they are. */
export function makePdf(objects: PdfObject[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let size = parts[0]!.length;
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(size);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), makeBody(object), Buffer.from('\nendobj\n')]));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${size}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function makeBody(object: PdfObject): Buffer {
  if (typeof object === 'string') return Buffer.from(object);
  const { dictionary, stream } = object;
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${stream.length} >>\nstream\n`),
    stream,
    Buffer.from('\nendstream'),
  ]);
}

/** Returns a stream that is compressed. */
export function flate(content: string | Buffer, dictionary = ''): PdfObject {
  return { dictionary: `/Filter /FlateDecode ${dictionary}`, stream: deflateSync(content) };
}

/** The texts of pages as they are written in a content stream, in Helvetica. */
export function showText(text: string): string {
  const lines = text.split('\n').map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`);
  return `BT /F1 12 Tf 14 TL 72 720 Td ${lines.join(' ')} ET`;
}

/** Returns a PDF with these content streams, one for each page. `catalog` is added to the catalog. */
export function pdfWithPages(contents: (string | PdfObject)[], catalog = '', trailer = ''): Buffer {
  const kids = contents.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const pages = contents.flatMap((content, index): PdfObject[] => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
    typeof content === 'string' ? flate(content) : content,
  ]);
  return makePdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...pages,
    ],
    trailer,
  );
}

/** Returns a PDF with a page for each text. */
export function textPdf(...pages: string[]): Buffer {
  return pdfWithPages(pages.map(showText));
}

/**
 * Returns a PDF whose letters are codes of a font without names, as most programs write them. Only a map in the file (ToUnicode) leads from
 * the codes to characters.
 */
export function mappedPdf(text: string): Buffer {
  const letters = [...new Set(text)];
  const hex = (value: number) => value.toString(16).padStart(4, '0');
  const codes = [...text].map((letter) => hex(letters.indexOf(letter) + 1)).join('');
  const entries = letters.map((letter, index) => {
    const units = [...Buffer.from(letter, 'utf16le').swap16()].map((byte) =>
      byte.toString(16).padStart(2, '0'),
    );
    return `<${hex(index + 1)}> <${units.join('')}>`;
  });
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${entries.length} beginbfchar
${entries.join('\n')}
endbfchar
endcmap end end`;
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
    flate(`BT /F1 12 Tf 72 720 Td <${codes}> Tj ET`),
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 8 0 R /DW 600 >>',
    flate(map),
    '<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);
}
