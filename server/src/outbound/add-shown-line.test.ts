import { expect, it } from 'vitest';
import { addShownLine } from './compose.ts';

const line = 'Written by a program.';
const isAbove = (html: string) => addShownLine(html, line).startsWith('<p style');

it.each([
  '<p>Hello',
  '<html><body><p>Hello</p></body></html>',
  '<table><tr><td>One</td></tr></table>',
  '<ul><li>One<li>Two</ul>',
  '<!-- a comment --><br><img src="x.png" alt="a > b">',
  '<p>1 < 2 & 3',
])('a line is below %s', (html) => {
  const shown = addShownLine(html, line);
  expect(isAbove(html)).toBe(false);
  expect(shown.indexOf(line)).toBeGreaterThan(shown.search(/Hello|One|1 <|x\.png/));
});

it.each([
  '<div style="display:none">Hello',
  'Hello<!-- ',
  'Hello<style>',
  'Hello<script>',
  'Hello<title>',
  'Hello<textarea>',
  'Hello<img alt="',
  'Hello<plaintext>',
  'Hello<template>',
  'Hello<p hidden><span>',
  'Hello<noscript><svg>',
  '<body>Hello<div hidden></body>',
])('a line is above %s, which would swallow it', (html) => {
  expect(isAbove(html)).toBe(true);
});

it('the end of a body that is only in a comment is none', () => {
  const shown = addShownLine('<body>Hello</body><!-- </body> -->', line);
  expect(shown).toMatch(/<!-- <\/body> -->\n<p style/);
});

it('no style sheet hides the line', () => {
  expect(addShownLine('<style>p{display:none!important}</style>Hello', line)).toMatch(
    /<p style="all:revert!important;display:block!important;/,
  );
});
