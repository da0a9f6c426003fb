import { expect, it } from 'vitest';
import { pressedKeys } from './shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

it('names keys as the table of shortcuts does', () => {
  expect(pressedKeys({ ...plain, key: 'g' })).toBe('g');
  expect(pressedKeys({ ...plain, key: '?' })).toBe('?');
  expect(pressedKeys({ ...plain, key: 'K', metaKey: true })).toBe('mod+k');
  expect(pressedKeys({ ...plain, key: 'k', ctrlKey: true })).toBe('mod+k');
});

it('takes no modifier alone, and nothing with Alt, which types characters', () => {
  expect(pressedKeys({ ...plain, key: 'Shift' })).toBeNull();
  expect(pressedKeys({ ...plain, key: 'l', altKey: true })).toBeNull();
});
