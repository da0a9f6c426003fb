import { expect, test } from 'vitest';
import { documentOfText, isPlainDocument, textOfDocument } from './editor-text.ts';

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
