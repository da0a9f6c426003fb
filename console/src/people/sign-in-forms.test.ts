import { expect, it } from 'vitest';
import { nextPath } from './sign-in-forms.tsx';

it('leads back to the page that asked for the sign-in', () => {
  expect(nextPath('/keys?query=a')).toBe('/keys?query=a');
});

it.each([
  null,
  '',
  'keys',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
  '/a\\b',
])('leads to the first page for %j', (asked) => {
  expect(nextPath(asked)).toBe('/');
});
