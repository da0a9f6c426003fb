import { expect, test } from 'vitest';
import { markDirections } from './texts.ts';

test('characters that turn the direction of a text can be seen, and marks without a width are left out', () => {
  expect(markDirections('Bob \u202emoc.knab@oec\u202c')).toBe('Bob [U+202E]moc.knab@oec[U+202C]');
  expect(markDirections('\u2066a\u2069 \u200fשלום\u200e \u061c')).toBe('[U+2066]a[U+2069] שלום ');
  expect(markDirections('Zoë 👩‍🚀 ünï')).toBe('Zoë 👩‍🚀 ünï');
});
