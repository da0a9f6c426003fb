import { expect, test } from 'vitest';
import { replyCases, wholeTexts } from '../../test/fixtures/mail/replies.ts';
import { measureCpuMs } from '../../test/harness/measure-stall.ts';
import { extractReply } from './extract-reply.ts';

test.each(replyCases.map((one) => [one.client, one] as const))(
  '%s',
  (_client, { text, html, subject, reply }) => {
    expect(
      extractReply(text ?? null, html ?? null, {
        answers: true,
        ...(subject === undefined ? {} : { subject }),
      }),
    ).toBe(reply);
  },
);

test.each(wholeTexts)('keeps all of %j', (text) => {
  expect(extractReply(text, null)).toBe(text.trim());
});

test('a mail without a body has no new text, an empty one has an empty one', () => {
  expect(extractReply(null, null)).toBeNull();
  expect(extractReply('', null)).toBe('');
  expect(extractReply(null, '<p>only <b>HTML</b></p>')).toBe('only HTML');
});

test('no more than a quarter of a million characters are looked at', () => {
  expect(extractReply('x'.repeat(500_000), null)?.length).toBe(250_000);
});

const piece = (text: string) => [text.slice(0, 20), text] as const;
test.each([
  piece('\n'),
  piece('>'),
  piece('>\n'),
  piece('> x\n\n'),
  piece('a:\n'),
  piece('On a:\n'),
  piece('x wrote:\n'),
  piece('On Mon, 20 Nov 2026 10:00 x\nwrote\n'),
  piece(`${'-'.repeat(190)}\n`),
  piece('--\n'),
  piece('From: a\nTo: b\n\n'),
  piece('Sent from my x\n'),
  piece('<a@b.c>:\n'),
  piece(' '),
  piece('\u200e'),
  piece('\ue000\n'),
  piece('\ue002\n'),
  piece('*'),
])('a megabyte of %j is done in a second', (_name, text) => {
  const hostile = text.repeat(Math.floor(1_000_000 / text.length));
  expect(measureCpuMs(() => extractReply(hostile, null, { answers: true }))).toBeLessThan(1_000);
  expect(measureCpuMs(() => extractReply(null, `<blockquote>${hostile}`, { answers: true }))).toBeLessThan(
    1_000,
  );
});
