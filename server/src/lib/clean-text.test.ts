import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, cutBytes } from './texts.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', 'ü', '中', '👍', '\ud83d', '\udc4d', '\0'), { maxLength: 40 })
    .map((parts) => parts.join('')),
);

describe('cleanText', () => {
  it('removes NUL and lone surrogates and nothing else', () => {
    expect(cleanText('a\0b\ud800c\udfffd👍e\r\n\t\u0001')).toBe('abcd👍e\r\n\t\u0001');
    expect(cleanText('')).toBe('');
  });

  it('gives a text that survives UTF-8 and holds no NUL', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cleaned = cleanText(text);
        expect(cleaned).not.toContain('\0');
        expect(Buffer.from(cleaned).toString()).toBe(cleaned);
        expect(cleanText(cleaned)).toBe(cleaned);
      }),
    );
  });
});

describe('cutBytes', () => {
  it('cuts before the character that does not fit', () => {
    expect(cutBytes('aü中👍', 10)).toEqual({ text: 'aü中👍', truncated: false });
    expect(cutBytes('aü中👍', 9)).toEqual({ text: 'aü中', truncated: true });
    expect(cutBytes('aü中👍', 5)).toEqual({ text: 'aü', truncated: true });
    expect(cutBytes('a', 0)).toEqual({ text: '', truncated: true });
    expect(cutBytes('', 0)).toEqual({ text: '', truncated: false });
  });

  it('gives the longest beginning within the limit and says whether it cut', () => {
    fc.assert(
      fc.property(anyText.map(cleanText), fc.integer({ min: 0, max: 60 }), (text, bytesMax) => {
        const cut = cutBytes(text, bytesMax);
        expect(text.startsWith(cut.text)).toBe(true);
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(bytesMax);
        expect(cut.truncated).toBe(cut.text !== text);
        expect(Buffer.from(cut.text).toString()).toBe(cut.text);
        const next = [...text.slice(cut.text.length)][0];
        if (next !== undefined) expect(Buffer.byteLength(cut.text + next)).toBeGreaterThan(bytesMax);
      }),
    );
  });
});
