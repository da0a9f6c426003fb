import { expect, test } from 'vitest';
import { nameAttachments } from './name-attachments.ts';
import type { FilePart } from './read-mime.ts';

const part = (more: Partial<FilePart> = {}): FilePart => ({
  contentType: 'image/png',
  disposition: null,
  filename: null,
  contentId: null,
  related: false,
  sizeBytes: 3,
  content: null,
  ...more,
});
const names = (...parts: FilePart[]) => nameAttachments(parts, null).map(({ filename }) => filename);

test('a file without a name gets one by its place and type', () => {
  expect(
    names(
      part(),
      part({ contentType: 'application/pdf' }),
      part({ contentType: 'message/rfc822' }),
      part({ contentType: 'message/delivery-status' }),
      part({ contentType: 'text/calendar' }),
      part({ contentType: 'text/x-unheard-of' }),
      part({ contentType: 'x/y' }),
      part({ contentType: 'no type at all' }),
    ),
  ).toEqual([
    'attachment-1.png',
    'attachment-2.pdf',
    'attachment-3.eml',
    'attachment-4.txt',
    'attachment-5.ics',
    'attachment-6.txt',
    'attachment-7.bin',
    'attachment-8.bin',
  ]);
});

test('names lose paths and invisible characters', () => {
  expect(
    names(
      part({ filename: '../../etc/passwd' }),
      part({ filename: 'a\0b\r\n.png' }),
      part({ filename: '..' }),
    ),
  ).toEqual(['.._.._etc_passwd', 'ab .png', 'attachment-3.png']);
});

test('types that are none become application/octet-stream', () => {
  const types = ['IMAGE/PNG', 'text/<script>', 'x'.repeat(200), 'a/b\r\nx: y'].map((contentType) =>
    part({ contentType }),
  );
  expect(nameAttachments(types, null).map(({ mimeType }) => mimeType)).toEqual([
    'image/png',
    'application/octet-stream',
    'application/octet-stream',
    'application/octet-stream',
  ]);
});

test('a file is inline when the HTML shows it, not because its sender calls it so', () => {
  const html = '<img src="cid:logo%40x"><img src=cid:a@b>';
  const inline = (more: Partial<FilePart>) => nameAttachments([part(more)], html)[0]?.inline;
  expect(inline({ contentId: 'logo@x', disposition: 'attachment' })).toBe(true);
  expect(inline({ contentId: 'a@b' })).toBe(true);
  expect(inline({ contentId: 'other@x', related: true })).toBe(true);
  expect(inline({ contentId: 'other@x', related: true, disposition: 'attachment' })).toBe(false);
  expect(inline({ contentId: 'other@x' })).toBe(false);
  expect(inline({ disposition: 'inline' })).toBe(false);
});

test('an AMP alternative is no attachment, an attached AMP file is', () => {
  const amp = part({ contentType: 'text/x-amp-html' });
  expect(names(amp, { ...amp, filename: 'mail.amp' }, { ...amp, disposition: 'attachment' })).toHaveLength(2);
});
