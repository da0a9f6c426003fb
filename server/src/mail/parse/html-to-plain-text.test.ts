import { measureCpuMs } from '@postrider/testkit/servers/measure-stall.ts';
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

test('what nests too deep loses its tags and keeps its words', () => {
  const html = `<style>x</style>${'<div>'.repeat(2_000)}one<br>two &amp; <b>three</b><!-- hidden -->${'</div>'.repeat(2_000)}`;
  expect(htmlToPlainText(html)).toBe('one\ntwo & three');
});

test.each([
  ['<div>', 200_000],
  ['<blockquote>x<br>', 60_000],
  ['<', 1_000_000],
  ['&', 1_000_000],
  ['\u00a0', 1_000_000],
  [`${'<div>'.repeat(500)}\u00a0`, 2_000],
  ['<table><tr><td>', 60_000],
  ['<!--', 250_000],
  ['<a href=', 100_000],
])('%j, %i times, is done in a second', (piece, count) => {
  const html = piece.repeat(count);
  expect(measureCpuMs(() => htmlToPlainText(html))).toBeLessThan(1_000);
});
