import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSnippet } from './texts.ts';

describe('makeSnippet', () => {
  it('puts a text on one line', () => {
    expect(makeSnippet('  Hello,\r\n\r\n\tyour code\u00a0is   123.\0 ')).toBe('Hello, your code is 123.');
    expect(makeSnippet('')).toBe('');
    expect(makeSnippet(null)).toBe('');
  });

  it('leaves out the invisible padding of newsletters', () => {
    const padding = '\u034f \u200c \u00ad \u200b \ufeff '.repeat(400);
    expect(makeSnippet(`Our offers${padding}this week`)).toBe('Our offers this week');
    expect(makeSnippet(padding)).toBe('');
  });

  it('keeps joiners where they make a character', () => {
    expect(makeSnippet('👩‍💻 writes می‌خواهم')).toBe('👩‍💻 writes می‌خواهم');
  });

  it('cuts at 200 units, before a character that would be split', () => {
    expect(makeSnippet('x'.repeat(500))).toBe('x'.repeat(200));
    expect(makeSnippet(`${'x'.repeat(199)}👍y`)).toBe('x'.repeat(199));
    expect(makeSnippet(`${'x'.repeat(198)}👩‍👩‍👧‍👦y`)).toBe('x'.repeat(198));
    expect(makeSnippet(`${'x'.repeat(199)}u\u0308y`)).toBe('x'.repeat(199));
    expect(makeSnippet(`${'x'.repeat(199)} y`)).toBe('x'.repeat(199));
  });

  it('cuts a character that is longer than the snippet', () => {
    expect(makeSnippet(`a${'\u0301'.repeat(500)}`)).toHaveLength(200);
    expect(makeSnippet(`👩${'\u200d👩'.repeat(200)}`).length).toBeGreaterThan(190);
  });

  it('is short, on one line and storable for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const snippet = makeSnippet(text);
        expect(snippet.length).toBeLessThanOrEqual(200);
        expect(snippet).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(snippet).toBe(snippet.trim());
      }),
    );
  });

  it('answers megabytes of anything quickly', () => {
    const passes = measurePasses(() => {
      for (const unit of [' ', '\n', '\u200c', '\u200d👩', 'a\u0301', ' \u200c', '\ud800'])
        makeSnippet(unit.repeat(1_000_000));
    });
    expect(passes).toBeLessThan(textPassesMax);
  });
});
