import { expect, test } from 'vitest';
import { linkify } from './linkify.ts';

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
