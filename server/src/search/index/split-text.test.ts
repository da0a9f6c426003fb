import { describe, expect, test } from 'vitest';
import { cutNewText } from './make-documents.ts';

describe('the rest of a body', () => {
  test('is what stands before and after the new text', () => {
    expect(cutNewText('Hello\nthe answer\n> quoted', 'the answer')).toBe('Hello\n\n\n> quoted');
  });

  test('is everything where there is no new text', () => {
    expect(cutNewText('> only quoted', '')).toBe('> only quoted');
  });

  test('leaves out the lines of a new text that was put together, each as often as it has it', () => {
    expect(cutNewText('one\n> a\n two\n> b\none', 'one\ntwo')).toBe('> a\n> b\none');
  });
});
