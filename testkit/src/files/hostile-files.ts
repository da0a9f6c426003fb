import { hostileMails } from '../mail/hostile-mail.ts';
import { deflatedBomb } from './deflated-bomb.ts';
import { hostilePdfs } from './hostile-pdfs.ts';
import { archiveOfPacked, docxWith, makeArchive, makeDocx } from './office-files.ts';
import { textPdf } from './pdf-files.ts';

/** A file that is built to hang, exhaust or confuse a reader. */
export interface HostileFile {
  /** The kind that it claims to be. */
  kind: 'pdf' | 'office' | 'html' | 'text' | 'mail';
  make: () => Buffer;
  /** The results that are right for it. */
  results: string[];
}

const tenMegabytes = 10 * 1_048_576;
const paragraph = '<w:p><w:r><w:t>x</w:t></w:r></w:p>';
const done = ['done'];

const documentName = 'word/document.xml';
/** A document with many times the same XML, and the size that it claims to have. */
const packedDocument = (xml: string, copies: number, sizeBytes = xml.length * copies) =>
  archiveOfPacked(documentName, { packed: deflatedBomb(xml, copies), sizeBytes });
const thousand = paragraph.repeat(1_000);

const hostileDocuments: Record<string, Omit<HostileFile, 'kind'>> = {
  'a document that unpacks to 300 MB': {
    make: () => packedDocument(thousand, 9_000),
    results: ['too_large'],
  },
  'a document that unpacks to 60 MB and claims 1 KB': {
    make: () => packedDocument(thousand, 1_800, 1_024),
    results: ['done', 'failed'],
  },
  'a document that claims 4 GB': {
    make: () => packedDocument(paragraph, 1, 4_294_967_294),
    results: ['too_large'],
  },
  'a document that claims 20 MB and has one paragraph': {
    make: () => packedDocument(paragraph, 1, 20_000_000),
    results: done,
  },
  'a large document that is in its archive 15,000 times': {
    make: () =>
      archiveOfPacked(
        documentName,
        { packed: deflatedBomb(thousand, 400), sizeBytes: thousand.length * 400 },
        15_000,
      ),
    results: done,
  },
  'an archive of 50,000 entries': {
    make: () =>
      archiveOfPacked(
        documentName,
        { packed: deflatedBomb(paragraph, 1), sizeBytes: paragraph.length },
        50_000,
      ),
    results: ['failed'],
  },
  'an archive in an archive': {
    make: () => makeArchive({ 'inner.zip': makeDocx('x') }),
    results: ['unsupported'],
  },
  '300,000 paragraphs': { make: () => docxWith(paragraph.repeat(300_000)), results: done },
  '300,000 empty paragraphs before text': {
    make: () => docxWith(`${'<w:p/>'.repeat(300_000)}${paragraph}`),
    results: done,
  },
  'elements 200,000 deep': { make: () => docxWith(`${'<w:p>'.repeat(200_000)}<w:t>x</w:t>`), results: done },
  'entities of entities': {
    make: () =>
      makeArchive({
        'word/document.xml': `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
          .split('')
          .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghi'[i]};`.repeat(10)}">`)
          .join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]><w:document><w:t>x &j; &f;</w:t></w:document>`,
      }),
    results: done,
  },
  'ten million less-than signs': { make: () => docxWith('<'.repeat(tenMegabytes)), results: ['empty'] },
  'comments without end': { make: () => docxWith('<!--'.repeat(1_000_000)), results: ['empty'] },
  'sections without end': { make: () => docxWith(`<w:t>${'<![CDATA['.repeat(1_000_000)}`), results: done },
  'one tag of 15 MB': {
    make: () => docxWith(`<w:p a="${'x'.repeat(15_000_000)}"/>${paragraph}`),
    results: done,
  },
  'names that lead out of the folder': {
    make: () =>
      makeArchive({
        '../../../../tmp/evil.txt': 'x',
        '/etc/evil': 'x',
        __proto__: 'x',
        'word/document.xml': paragraph,
      }),
    results: done,
  },
  'an encrypted document of OpenDocument': {
    make: () =>
      makeArchive({
        'content.xml': [Buffer.alloc(999, 0xa7), { level: 0 }],
        'META-INF/manifest.xml':
          '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>',
      }),
    results: ['unsupported'],
  },
  'a document without its end': { make: () => makeDocx('x').subarray(0, 300), results: ['failed'] },
  'a million shared texts': {
    make: () =>
      makeArchive({
        'xl/workbook.xml': '<workbook/>',
        'xl/sharedStrings.xml': `<sst>${'<si><t>x</t></si>'.repeat(1_000_000)}</sst>`,
        'xl/worksheets/sheet1.xml':
          '<row><c t="s"><v>0</v></c><c t="s"><v>-1</v></c><c t="s"><v>1e99</v></c></row>',
      }),
    results: done,
  },
  'a text of 30,000 characters that 100,000 cells share': {
    make: () =>
      makeArchive({
        'xl/workbook.xml': '<workbook/>',
        'xl/sharedStrings.xml': `<sst><si><t>${'x '.repeat(15_000)}</t></si></sst>`,
        'xl/worksheets/sheet1.xml': '<c t="s"><v>0</v></c>'.repeat(100_000),
      }),
    results: done,
  },
};

const htmlDocuments: Record<string, () => Buffer> = {
  'HTML nested 200,000 deep': () => Buffer.from(`x${'<div>'.repeat(200_000)}`),
  'HTML of one line of 10 MB': () => Buffer.alloc(tenMegabytes, '<b>word</b> '),
  'HTML of tables in tables': () => Buffer.from(`x${'<table><tr><td>'.repeat(50_000)}`),
  'HTML with a million attributes': () => Buffer.from(`x<a ${'x=1 '.repeat(1_000_000)}>`),
};

const makeBytes = (seed: number) =>
  Buffer.from(
    Uint32Array.from({ length: 25_000 }, (_, i) => Math.imul(i + seed, 2_654_435_761) ^ (i << 7)).buffer,
  );

const texts: Record<string, Omit<HostileFile, 'kind'>> = {
  'CSV of empty cells': { make: () => Buffer.alloc(tenMegabytes, ','), results: ['done', 'empty'] },
  'CSV of one cell': {
    make: () => Buffer.concat([Buffer.from('"'), Buffer.alloc(tenMegabytes - 1, 'a""')]),
    results: done,
  },
  'text of blanks': { make: () => Buffer.alloc(tenMegabytes, ' \n\t'), results: ['empty'] },
  'UTF-16 that ends within a character': {
    make: () => Buffer.from('\ufeffcut \ud83d\ude00', 'utf16le').subarray(0, -3),
    results: done,
  },
  'UTF-16 of halves of characters': {
    make: () => Buffer.from(`\ufeff${'a\ud83da\ude00'.repeat(50_000)}`, 'utf16le'),
    results: done,
  },
  'text with a NUL': { make: () => Buffer.from(`${'word '.repeat(50)}\0 end`), results: done },
  'ten megabytes of NUL': { make: () => Buffer.alloc(tenMegabytes), results: ['unsupported'] },
  'a PDF that is called text': { make: () => textPdf('x'), results: done },
  'more than 10 MB': { make: () => Buffer.alloc(tenMegabytes + 1, 'x'), results: ['too_large'] },
  nothing: { make: () => Buffer.alloc(0), results: ['empty'] },
};

const mails: Record<string, Omit<HostileFile, 'kind'>> = Object.fromEntries(
  ['multipart 20,000 deep', 'parts without header end', '100,000 recipients'].map((name) => [
    `a mail with ${name}`,
    { make: hostileMails[name]!, results: ['done', 'empty', 'failed', 'timeout', 'memory'] },
  ]),
);

const as = (kind: HostileFile['kind'], files: Record<string, Omit<HostileFile, 'kind'>>) =>
  Object.entries(files).map(([name, file]): [string, HostileFile] => [name, { ...file, kind }]);

/** Files that are built to hang, exhaust or confuse a reader. */
export const hostileFiles: Record<string, HostileFile> = Object.fromEntries([
  ...as(
    'pdf',
    Object.fromEntries(Object.entries(hostilePdfs).map(([name, file]) => [`a PDF with ${name}`, file])),
  ),
  ...as('office', hostileDocuments),
  ...as(
    'html',
    Object.fromEntries(Object.entries(htmlDocuments).map(([name, make]) => [name, { make, results: done }])),
  ),
  ...as('text', texts),
  ...as('mail', mails),
  ...(['pdf', 'office', 'html', 'text', 'mail'] as const).flatMap((kind, seed) =>
    as(kind, { [`random bytes as ${kind}`]: { make: () => makeBytes(seed), results: ['unsupported'] } }),
  ),
]);
