import { expect, test } from 'vitest';
import { linkify, readFrameHeight, readHeaders } from './read-mail.ts';

const findLinks = (text: string) => linkify(text).flatMap(({ href }) => (href === null ? [] : [href]));

test('links of the web and of mail become links, and the rest stays text', () => {
  expect(linkify('See https://a.example/x?y=1#z or mailto:ada@example.com now')).toEqual([
    { text: 'See ', href: null },
    { text: 'https://a.example/x?y=1#z', href: 'https://a.example/x?y=1#z' },
    { text: ' or ', href: null },
    { text: 'mailto:ada@example.com', href: 'mailto:ada@example.com' },
    { text: ' now', href: null },
  ]);
});

test('nothing else becomes a link', () => {
  const hostile = [
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'JaVaScRiPt://a.example/%0aalert(1)',
    '//a.example',
    'https://',
    'https:// a',
  ];
  for (const text of hostile) expect(findLinks(text)).toEqual([]);
});

test('a link within the text of another scheme keeps its own scheme', () => {
  expect(findLinks('javascript:location="https://a.example"')).toEqual(['https://a.example']);
});

test('marks after a link belong to the sentence, and brackets to the link that opened them', () => {
  expect(findLinks('(https://a.example/x).')).toEqual(['https://a.example/x']);
  expect(findLinks('https://a.example/x_(y)')).toEqual(['https://a.example/x_(y)']);
  expect(findLinks('https://a.example, https://b.example!')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
});

test('the pieces are the text, whatever it is', () => {
  for (const text of ['', 'plain', 'https://a.example', '\n\nhttp://x.example)\n', 'http://'.repeat(50)])
    expect(
      linkify(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
});

test('a long text takes no long time', () => {
  expect(findLinks(`${'https://a.example/'.repeat(20_000)}`).length).toBeGreaterThan(0);
  expect(findLinks('mailto:'.repeat(50_000)).length).toBeGreaterThan(0);
});

const pairs = (source: string) => readHeaders(source).map(({ name, value }) => [name, value]);

test('fields come in their order, each unfolded, up to the empty line', () => {
  const source =
    'Received: from a\r\n\tby b;\r\n  now\r\nSubject: Hello: you\r\nReceived: c\r\n\r\nTo: not a field';
  expect(pairs(source)).toEqual([
    ['Received', 'from a by b; now'],
    ['Subject', 'Hello: you'],
    ['Received', 'c'],
  ]);
});

test('a source that ends within its header, has bare line feeds or strange lines is read as far as it goes', () => {
  expect(pairs('A: 1\nB')).toEqual([['A', '1']]);
  expect(pairs(' folded at once\nA: 1\n\nB: 2')).toEqual([['A', '1']]);
  expect(pairs(':no name\nA:\n\n')).toEqual([['A', '']]);
  expect(pairs('')).toEqual([]);
});

test('a frame is as tall as the page in it tells, within limits', () => {
  expect(readFrameHeight({ mailHeight: 480.2 }, 12_000)).toBe(481);
  expect(readFrameHeight({ mailHeight: 3 }, 12_000)).toBe(40);
  expect(readFrameHeight({ mailHeight: 1e9 }, 12_000)).toBe(12_000);
});

test.each([
  null,
  undefined,
  7,
  'mailHeight',
  {},
  { mailHeight: '480' },
  { mailHeight: Number.NaN },
  { mailHeight: Number.POSITIVE_INFINITY },
  { mailHeight: -5 },
  { mailHeight: [480] },
])('nothing else is taken for a height: %j', (told) => {
  expect(readFrameHeight(told, 12_000)).toBeNull();
});
