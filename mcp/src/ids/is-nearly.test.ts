import { expect, it } from 'vitest';
import { isNearly } from './is-nearly.ts';

const id = 'msg_01m7yyvjvwe8jaq5sc6ne7a3b2';

it.each([
  ['the id in capitals', id.toUpperCase()],
  ['one wrong character', id.replace('8', '9')],
  ['two wrong characters', id.replace('8', '9').replace('6', '0')],
  ['a character too few', id.replace('yy', 'y')],
  ['a character too many', `${id}2`],
  ['two that are swapped', id.replace('7a', 'a7')],
  ['its beginning', id.slice(0, 16)],
])('takes %s for the id', (_, given) => {
  expect(isNearly(given, id)).toBe(true);
});

it.each([
  ['three wrong characters', id.replace('8', '9').replace('6', '0').replace('3b', '4c')],
  ['a short beginning', 'msg_01m7'],
  ['another id', 'msg_01m8000000000000000000000'],
  ['nothing', ''],
])('does not take %s for the id', (_, given) => {
  expect(isNearly(given, id)).toBe(false);
});
