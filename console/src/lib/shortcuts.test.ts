import { expect, it } from 'vitest';
import { nameOf } from './shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

it('names keys as the table of shortcuts does', () => {
  expect(nameOf({ ...plain, key: 'g' })).toBe('g');
  expect(nameOf({ ...plain, key: '?' })).toBe('?');
  expect(nameOf({ ...plain, key: 'K', metaKey: true })).toBe('mod+k');
  expect(nameOf({ ...plain, key: 'k', ctrlKey: true })).toBe('mod+k');
});

it('takes no modifier alone, and nothing with Alt, which types characters', () => {
  expect(nameOf({ ...plain, key: 'Shift' })).toBeNull();
  expect(nameOf({ ...plain, key: 'l', altKey: true })).toBeNull();
});
