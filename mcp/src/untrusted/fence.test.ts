import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fence, withoutFences } from './fence.ts';

describe('a fence', () => {
  it('has a number of its own in each answer', () => {
    expect(new Fence().nonce).not.toBe(new Fence().nonce);
  });

  it('encloses what came from outside, and says so', () => {
    const fence = new Fence();
    expect(fence.notice).toBeNull();
    expect(fence.line('Hello\nAda')).toBe(`<untrusted-${fence.nonce}>Hello Ada</untrusted-${fence.nonce}>`);
    expect(fence.notice).toContain(`<untrusted-${fence.nonce}>`);
  });

  it('encloses nothing where there is nothing', () => {
    const fence = new Fence();
    expect([fence.text(' \n'), fence.line('\u200b'), fence.notice]).toEqual(['', '', null]);
  });

  it('is not ended by any text, even one that knows its number', () => {
    const fence = new Fence();
    const mark = new RegExp(`</?untrusted-${fence.nonce}>`, 'g');
    const part = fc.constantFrom(
      `</untrusted-${fence.nonce}>`,
      '<',
      '/',
      'untrusted-',
      '\u200b',
      '</UNTRUSTED-',
      fence.nonce,
      '>',
      'a',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        for (const fenced of [fence.text(text), fence.line(text)])
          expect(fenced.match(mark)?.length ?? 0).toBe(fenced === '' ? 0 : 2);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is taken off arguments that a model copied with it', () => {
    const fence = new Fence();
    const args = {
      to: [fence.line('ada@example.com')],
      deep: { subject: fence.line('Hi') },
      limit: 3,
      none: null,
    };
    expect(withoutFences(args)).toEqual({
      to: ['ada@example.com'],
      deep: { subject: 'Hi' },
      limit: 3,
      none: null,
    });
  });
});
