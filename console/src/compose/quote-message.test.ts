import { expect, it } from 'vitest';
import { joinQuote, quoteMessage, splitQuote } from './quote-message.ts';

const plain = (text: string) => ({ text, html: '' });
const message = {
  from_addr: 'ada@example.com',
  from_name: 'Ada',
  created_at: '2026-11-20T09:30:00.000Z',
  body_text: 'Hello,\r\n> earlier\n\n<script>alert(1)</script>\n\n',
  extracted_text: 'Hello,',
};

it('quotes each line, and lines that were quotes once more', () => {
  const [first, ...lines] = quoteMessage(message).split('\n');
  expect(first).toContain('Ada');
  expect(lines).toEqual(['> Hello,', '>> earlier', '> ', '> <script>alert(1)</script>']);
});

it('finds the quote again in what was saved', () => {
  const quote = quoteMessage(message);
  for (const own of [
    plain('Thank you'),
    plain(''),
    { text: 'Thanks', html: '<p><strong>Thanks</strong></p>' },
  ])
    expect(splitQuote(joinQuote(own, quote), quote)).toEqual({ ...own, isQuoted: true });
});

it('quotes in the formatted version without running anything of the message', () => {
  const { html } = joinQuote({ text: 'x', html: '<p><em>x</em></p>' }, quoteMessage(message));
  expect(html).toMatch(
    /^<p><em>x<\/em><\/p><p style="margin:0"><br><\/p>.* wrote:<\/p><blockquote style="[^"]+">Hello,<br>/,
  );
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;</blockquote>');
  expect(html).not.toContain('<script');
});

it('leaves a text alone whose quote was changed, and has no quote of a message without text', () => {
  const changed = plain('Thank you');
  expect(splitQuote(changed, quoteMessage(message))).toEqual({ ...changed, isQuoted: false });
  const empty = quoteMessage({ ...message, body_text: null, extracted_text: null });
  expect(empty).toBe('');
  expect(splitQuote(joinQuote(plain('Hi'), empty), empty)).toEqual({ ...plain('Hi'), isQuoted: false });
});
