import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forwardSubject, replySubject } from './reply-texts.ts';

describe('the subject of an answer', () => {
  it('gets one prefix', () => {
    expect(replySubject('Invoice')).toBe('Re: Invoice');
    expect(replySubject('Fwd: Invoice')).toBe('Re: Fwd: Invoice');
    expect(replySubject('')).toBe('Re:');
    expect(replySubject('  a\tb\r\n c ')).toBe('Re: a b c');
  });

  const answered = [
    'Re: x',
    'RE: x',
    're:x',
    'Re : x',
    'Re[2]: x',
    'Re^2: x',
    'Re(12): x',
    'AW: x',
    'Antw: x',
    'SV: x',
    'Odp: x',
    'RES: x',
    'R: x',
    'YNT: x',
    'Vá: x',
    'Отв: x',
    'ΑΠ: x',
    '回复：x',
    '返信: x',
    'Ｒｅ：x',
    'Re：x',
    'Re:',
  ];
  for (const subject of answered)
    it(`is never prefixed twice: ${subject}`, () => {
      const first = replySubject(subject);
      expect(first.replace(/\s/g, '')).toBe(subject.replace(/\s/g, ''));
      expect(replySubject(first)).toBe(first);
    });

  it('loses prefixes that were heaped up', () => {
    expect(replySubject('Re: RE: AW: Re[3]: Invoice')).toBe('Re: Invoice');
    expect(replySubject('AW: Re: Invoice')).toBe('AW: Invoice');
    expect(replySubject('Re: Fwd: Re: Invoice')).toBe('Re: Fwd: Re: Invoice');
  });

  it('is not misled by words that begin alike', () => {
    for (const subject of [
      'Report: x',
      'Regarding: y',
      'Re x',
      'Rear: z',
      'Awesome: news',
      'I Robot: a book',
      '[Re: x] y',
    ])
      expect(replySubject(subject)).toBe(`Re: ${subject}`);
  });
});

describe('the subject of a forward', () => {
  it('gets one prefix', () => {
    expect(forwardSubject('Invoice')).toBe('Fwd: Invoice');
    expect(forwardSubject('Re: Invoice')).toBe('Fwd: Re: Invoice');
    expect(forwardSubject('')).toBe('Fwd:');
    expect(forwardSubject('Fwd: FW: WG: Invoice')).toBe('Fwd: Invoice');
  });

  for (const prefix of [
    'Fwd',
    'FW',
    'fwd',
    'WG',
    'TR',
    'VS',
    'VB',
    'RV',
    'ENC',
    'Doorst',
    'PD',
    '转发',
    '転送',
    'ＦＷ',
  ])
    it(`is never prefixed twice: ${prefix}`, () => {
      expect(forwardSubject(`${prefix}: x`)).toBe(`${prefix}: x`);
    });
});

describe('any subject', () => {
  it('comes out on one line of at most 998 characters, the same when it is answered again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (subject) => {
        for (const prefix of [replySubject, forwardSubject]) {
          const once = prefix(subject);
          expect(once).toMatch(/^[^\r\n\0]{1,998}$/);
          expect(prefix(once)).toBe(once);
        }
      }),
    );
  });

  it('takes no time to look at', () => {
    const passes = measurePasses(() => {
      for (const part of ['Re: ', 'Re ', ' ', 're[', 'Ｒ']) replySubject(part.repeat(50_000));
    });
    expect(passes).toBeLessThan(textPassesMax);
  });
});
