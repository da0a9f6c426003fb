import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import { expect, test } from 'vitest';
import { htmlToPlainText } from './html-to-plain-text.ts';

test('lays out paragraphs, lists, links and headings, and leaves out what is not shown', () => {
  const html = `<html><head><title>t</title><style>p{}</style></head><body><h1>Hello</h1><p>one&nbsp;two<br>three</p>
    <script>alert(1)</script><ul><li>a</li><li>b</li></ul><img src="cid:x" alt="logo">
    <p><a href="https://example.com/x">here</a> and <a href="https://example.com">https://example.com</a></p></body></html>`;
  expect(htmlToPlainText(html)).toBe(
    'Hello\n\none two\nthree\n\n * a\n * b\n\nhere [https://example.com/x] and https://example.com',
  );
});

test('what nests deep keeps its lines', () => {
  const html = `<style>x</style>${'<div>'.repeat(2_000)}one<br>two &amp; <b>three</b><!-- hidden -->${'</div>'.repeat(2_000)}`;
  expect(htmlToPlainText(html)).toBe('one\ntwo & three');
  const cells = `${'<table><tr><td>'.repeat(100)}Kettle</td><td>2</td><td>19.90</td></tr></table>`;
  expect(htmlToPlainText(cells).split(/\s+/)).toEqual(['Kettle', '2', '19.90']);
});

test.each([
  ['Kettle\t2\t19.90', '<tr><td>Kettle</td><td>2</td><td>19.90</td></tr>'],
  ['Kettle\t2\t19.90', '<table><td>Kettle<td>2<td>19.90</table>'],
  ['Kettle\t19.90\nblue', '<table><tr><td>Kettle<br>blue</td><td>19.90</td></tr></table>'],
  ['Ada\nBerlin\n\nBob\nParis', '<table><tr><td>Ada<br>Berlin</td><td>Bob<br>Paris</td></tr></table>'],
  [
    'A\tB\tC\n1\t\t3',
    '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td></td><td>3</td></tr></table>',
  ],
  ['1\t3', '<table><tr><td>1</td><td>&nbsp;</td><td>3</td></tr></table>'],
  ['a\nb', '<center>a</center><center>b</center>'],
  ['a\nb', '<address>a</address><figure>b</figure>'],
  ['* a\n * b', '<li>a</li><li>b</li>'],
  ['12\n34', '<span style="display:block">12</span><span style="display:block">34</span>'],
  ['12 34', '<span style="display:inline-block">12</span><span style="display:inline-block">34</span>'],
  ['19 90', '19<sup>90</sup>'],
  ['m2', 'm<sup>2</sup>'],
  ['one\n  two', '<pre>one\n  two</pre>'],
  ['Your code is 482913', '<img alt="Your code is 482913">'],
  ['Shop now [https://a.example]\nHello', '<a href="https://a.example"><img alt="Shop now"></a><p>Hello</p>'],
])('%j', (text, html) => {
  expect(htmlToPlainText(html).replace(/\n\n(?=Hello)/, '\n')).toBe(text);
});

test.each([
  ['<div>', 200_000],
  ['<blockquote>x<br>', 60_000],
  ['<', 1_000_000],
  ['&', 1_000_000],
  ['\u00a0', 1_000_000],
  [`${'<div>'.repeat(500)}\u00a0`, 2_000],
  ['<table><tr><td>', 60_000],
  ['<td>1', 100_000],
  ['<b>1<td>', 90_000],
  ['<!--', 250_000],
  ['<a href=', 100_000],
])('%j, %i times, is done in little time', (piece, count) => {
  const html = piece.repeat(count);
  expect(measurePasses(() => htmlToPlainText(html))).toBeLessThan(textPassesMax);
});
