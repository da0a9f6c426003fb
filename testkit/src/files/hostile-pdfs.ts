import { deflatedBomb } from './deflated-bomb.ts';
import { flate, makePdf, type PdfObject, pdfWithPages, showText, textPdf } from './pdf-files.ts';

/** Returns the stream of zlib (RFC 1950) of many copies of a text, with a check sum that readers of PDF do not look at. */
function makeBomb(text: string, copies: number): Buffer {
  return Buffer.concat([Buffer.from([0x78, 0x9c]), deflatedBomb(text, copies), Buffer.alloc(4)]);
}

const bombStream = (text: string, copies: number): PdfObject => ({
  dictionary: '/Filter /FlateDecode',
  stream: makeBomb(text, copies),
});
const mebibyte = 1_048_576;
const words = showText('Visible text');
const pageWith = (resources: string, contents: PdfObject, ...more: PdfObject[]): Buffer =>
  makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${resources} >> /Contents 4 0 R >>`,
    contents,
    ...more,
  ]);
const helvetica = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';

/** PDFs that are built to hang or exhaust a reader, and the results that are right for them. */
export const hostilePdfs: Record<string, { make: () => Buffer; results: string[] }> = {
  'a stream of 600 MB of spaces': {
    make: () => pdfWithPages([bombStream(' '.repeat(mebibyte), 600)]),
    results: ['memory', 'timeout'],
  },
  'four million text operators': {
    make: () => pdfWithPages([bombStream(`BT /F1 9 Tf ${'(word word) Tj '.repeat(1_000)} ET `, 4_000)]),
    results: ['done', 'memory', 'timeout'],
  },
  'a million operators without text': {
    make: () => pdfWithPages([bombStream('0 0 m 1 1 l S q Q '.repeat(1_000), 200)]),
    results: ['empty', 'memory', 'timeout'],
  },
  'a table of places that is wrong': {
    make: () =>
      Buffer.from(
        textPdf('Visible text')
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\n7'),
        'latin1',
      ),
    results: ['done'],
  },
  'no table of places': {
    make: () =>
      Buffer.from(
        textPdf('Visible text')
          .toString('latin1')
          .replace(/xref[\s\S]*/, ''),
        'latin1',
      ),
    results: ['done', 'failed'],
  },
  'a password': {
    make: () =>
      pdfWithPages(
        [words],
        '',
        `/ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${'1f'.repeat(32)}> /U <${'2e'.repeat(32)}> >>`,
      ),
    results: ['unsupported'],
  },
  'only its first half': {
    make: () => {
      const whole = textPdf(...Array.from({ length: 50 }, () => 'Visible text'));
      return whole.subarray(0, whole.length / 2);
    },
    results: ['done', 'failed', 'empty'],
  },
  'only its header': { make: () => Buffer.from('%PDF-1.7\n'), results: ['failed'] },
  'a script that runs when it is opened': {
    make: () =>
      pdfWithPages(
        [words],
        '/OpenAction << /S /JavaScript /JS (while (true) {}) >> /AA << /O << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
      ),
    results: ['done'],
  },
  'lists in lists, 500,000 deep': {
    make: () => pdfWithPages([words], `/Deep ${'['.repeat(500_000)}${']'.repeat(500_000)}`),
    results: ['done', 'failed'],
  },
  'dictionaries in dictionaries, 200,000 deep': {
    make: () => pdfWithPages([words], `/Deep ${'<</A'.repeat(200_000)} 1 ${'>>'.repeat(200_000)}`),
    results: ['done', 'failed'],
  },
  'a page tree in a circle': {
    make: () =>
      makePdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 100000 >>']),
    results: ['failed'],
  },
  'two billion pages': {
    make: () =>
      makePdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 2147483647 >>']),
    results: ['failed', 'empty'],
  },
  'a form that shows itself': {
    make: () =>
      pageWith(
        `${helvetica} /XObject << /X 5 0 R >>`,
        flate(`${words} /X Do`),
        flate(
          '/X Do /X Do',
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>',
        ),
      ),
    results: ['done'],
  },
  'forms that show two others, 30 deep': {
    make: () =>
      pageWith(
        `${helvetica} /XObject << /X 5 0 R >>`,
        flate(`/X Do ${words}`),
        ...Array.from({ length: 30 }, (_, i) =>
          flate(
            '/X Do /X Do',
            `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${helvetica} /XObject << /X ${6 + i} 0 R >> >>`,
          ),
        ),
        flate(words, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${helvetica} >>`),
      ),
    results: ['done', 'timeout', 'memory'],
  },
  'a stream that is packed 1,000 times': {
    make: () =>
      pageWith(helvetica, {
        dictionary: `/Filter [${'/FlateDecode '.repeat(1_000)}]`,
        stream: makeBomb(' '.repeat(mebibyte), 1),
      }),
    results: ['empty', 'failed', 'timeout', 'memory'],
  },
  'a map of four billion characters': {
    make: () =>
      pageWith(
        '/Font << /F1 << /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /ToUnicode 5 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>] >> >>',
        flate('BT /F1 12 Tf 72 720 Td <00010002> Tj ET'),
        flate(
          'begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange endcmap',
        ),
      ),
    results: ['done', 'empty', 'failed', 'timeout', 'memory'],
  },
  'ten megabytes of headers': {
    make: () => Buffer.alloc(10 * mebibyte, '%PDF-1.7\n1 0 obj\n<<\n'),
    results: ['failed', 'timeout', 'memory'],
  },
};
