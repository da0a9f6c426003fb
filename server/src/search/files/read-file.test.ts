import { docxWith, makeDocx, makeOdt, makePptx, makeXlsx } from '@postrider/testkit/files/office-files.ts';
import { mappedPdf, textPdf } from '@postrider/testkit/files/pdf-files.ts';
import { describe, expect, test } from 'vitest';
import type { FileKind } from './file-kind.ts';
import { fileLimits } from './file-text.ts';
import { readFile } from './read-file.ts';

const readText = async (bytes: Buffer, kind: FileKind) => {
  const { status, text } = await readFile(bytes, kind);
  return status === 'done' ? text : status;
};

describe('a PDF', () => {
  test('is read page by page, with its lines', async () => {
    expect(await readText(textPdf('Invoice 419\nTotal (EUR) 12', 'Second page'), 'pdf')).toBe(
      'Invoice 419\nTotal (EUR) 12\nSecond page',
    );
  });

  test('is read through the map from its codes to characters', async () => {
    expect(await readText(mappedPdf('Grüße, 日本語の請求書'), 'pdf')).toBe('Grüße, 日本語の請求書');
  });

  test('is read as far as 200 pages', async () => {
    const text = await readText(
      textPdf(...Array.from({ length: 205 }, (_, i) => `page ${i + 1} of many`)),
      'pdf',
    );
    expect(text).toContain('page 200 of');
    expect(text).not.toContain('page 201 of');
  });
});

describe('a document', () => {
  test('of Word has a line for each paragraph, without fields, deleted text and fallbacks', async () => {
    const file = docxWith(
      '<w:p><w:r><w:t>Dear &#65;da &amp; co</w:t><w:tab/><w:t xml:space="preserve"> there</w:t></w:r></w:p>' +
        '<w:p><w:r><w:instrText>PAGEREF x</w:instrText><w:delText>gone</w:delText><wp:posOffset>914400</wp:posOffset></w:r></w:p>' +
        '<w:p><mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent></w:p>' +
        '<w:tbl><w:tr><w:tc><w:p><w:t>a</w:t></w:p></w:tc><w:tc><w:p><w:t>b</w:t></w:p></w:tc></w:tr></w:tbl>',
    );
    expect(await readText(file, 'office')).toBe('Dear Ada & co there\nbox\na\nb');
  });

  test('of OpenDocument has the text of its body', async () => {
    expect(await readText(makeOdt('Erste & zweite', 'Zeile'), 'office')).toBe('Erste & zweite\nZeile');
  });

  test('that is a presentation has its slides in the order of their numbers', async () => {
    const slides = Array.from({ length: 11 }, (_, i) => `slide ${i + 1}`);
    expect(await readText(makePptx(...slides), 'office')).toBe(slides.join('\n'));
  });

  test('that is a spreadsheet has the names of sheets, and texts and numbers of cells by rows', async () => {
    const rows = [
      ['Order', 'Total'],
      ['INV-2026-0419', 1250.5],
    ];
    expect(await readText(makeXlsx('Orders &amp; 2026', rows), 'office')).toBe(
      'Orders & 2026\nOrder Total\nINV-2026-0419 1250.5',
    );
  });
});

describe('text', () => {
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from('Grüße €')],
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße €')],
    ['UTF-16', Buffer.from('\ufeffGrüße €', 'utf16le')],
    ['UTF-16 of the other order', Buffer.from('\ufeffGrüße €', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('Grüße €', 'utf16le')],
    ['windows-1252', Buffer.from('Gr\xfc\xdfe \x80', 'latin1')],
  ])('is read in %s', async (_name, bytes) => {
    expect(await readText(bytes, 'text')).toBe('Grüße €');
  });

  test('of CSV is kept without its empty cells', async () => {
    expect(await readText(Buffer.from('name;total\r\nAda;12\r\n;;;;\r\nBob;;;;13\r\n'), 'text')).toBe(
      'name;total\nAda;12\n;\nBob; 13',
    );
  });

  test('of HTML is what it shows', async () => {
    const html =
      '<html><head><title>t</title><style>p{}</style></head><p>Hello <b>there</b></p><script>x()</script>';
    expect(await readText(Buffer.from(html), 'html')).toBe('Hello there');
  });

  test('beyond the limit is left out', async () => {
    const text = await readText(Buffer.from('word '.repeat(500_000)), 'text');
    expect(text.length).toBeLessThanOrEqual(fileLimits.textLengthMax);
    expect(text.length).toBeGreaterThan(fileLimits.textLengthMax - 10);
  });
});

test('an attached mail has its subject, its author and its body', async () => {
  const mail = Buffer.from(
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nFrom: Ada <ada@example.com>\r\nContent-Type: text/html\r\n\r\n<p>Hello <b>there</b>',
  );
  expect(await readText(mail, 'mail')).toBe('Grüße\nAda\nada@example.com\nHello there');
});

describe('what a file claims to be', () => {
  test.each<[string, FileKind, Buffer, string]>([
    ['a PDF that claims to be text', 'text', textPdf('inside'), 'inside'],
    ['a document that claims to be a PDF', 'pdf', makeDocx('inside'), 'inside'],
    [
      'HTML that claims to be a spreadsheet',
      'office',
      Buffer.from('<!DOCTYPE html><html><p>inside'),
      'inside',
    ],
    [
      'an older document that claims to be a new one',
      'office',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'unsupported',
    ],
    ['text that claims to be a PDF', 'pdf', Buffer.from('inside'), 'unsupported'],
    ['text about PDF', 'text', Buffer.from('It begins with %PDF-'), 'It begins with %PDF-'],
    [
      'bytes that claim to be text',
      'text',
      Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7) % 256)),
      'unsupported',
    ],
  ])('does not matter for %s', async (_name, kind, bytes, expected) => {
    expect(await readText(bytes, kind)).toBe(expected);
  });
});
