import { expect, it, test } from 'vitest';
import {
  documentOfText,
  isPlainDocument,
  joinQuote,
  quoteMessage,
  splitQuote,
  textOfDocument,
} from './message-text.ts';

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

const text = (value: string, ...marks: { type: string; attrs?: Record<string, string> }[]) => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks }),
});
const line = (...content: object[]) => ({ type: 'paragraph', content });
const link = (href: string) => ({ type: 'link', attrs: { href } });

test.each(['', 'One line', 'Dear Ada,\n\nit is on its way.\n\n\nBest regards', '\n'])(
  'a plain text is the same after the editor had it: %j',
  (value) => {
    expect(textOfDocument(documentOfText(value))).toBe(value);
    expect(isPlainDocument(documentOfText(value))).toBe(true);
  },
);

test('lists and quotes have their marks in the plain text', () => {
  const item = (value: string) => ({ type: 'listItem', content: [line(text(value))] });
  const document = {
    type: 'doc',
    content: [
      line(text('Bring:')),
      { type: 'bulletList', content: [item('cards'), item('an engine')] },
      { type: 'orderedList', attrs: { start: 3 }, content: [item('third'), item('fourth')] },
      { type: 'blockquote', content: [line(text('He said')), line(), line(text('so.'))] },
    ],
  };
  expect(textOfDocument(document)).toBe(
    'Bring:\n- cards\n- an engine\n3. third\n4. fourth\n> He said\n>\n> so.',
  );
  expect(isPlainDocument(document)).toBe(false);
});

test('a link tells its address, unless that is its text', () => {
  const document = {
    type: 'doc',
    content: [
      line(
        text('See '),
        text('the ', link('https://a.test/')),
        text('order', link('https://a.test/'), { type: 'bold' }),
      ),
      line(text('https://a.test/', link('https://a.test/'))),
      line(text('ada@a.test', link('mailto:ada@a.test'))),
      line(text('one'), { type: 'hardBreak' }, text('two')),
    ],
  };
  expect(textOfDocument(document)).toBe(
    'See the order (https://a.test/)\nhttps://a.test/\nada@a.test\none\ntwo',
  );
  expect(isPlainDocument(document)).toBe(false);
});
