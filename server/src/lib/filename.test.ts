import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanFilename, downloadFilename } from './texts.ts';

const awkward = fc.string({
  unit: fc.constantFrom(' ', '\t', '\0', '.', '_', '/', '\u202e', '\ufeff', 'ü', 'x'),
  maxLength: 300,
});

describe('cleanFilename', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['  annual   report.pdf ', 'annual report.pdf'],
    ['Übersicht – 中文 👍.pdf', 'Übersicht – 中文 👍.pdf'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\Users\\me\\a.txt', 'C:_Users_me_a.txt'],
    ['invoice 1/2.pdf', 'invoice 1_2.pdf'],
    ['a\r\nSet-Cookie: x.txt', 'a Set-Cookie: x.txt'],
    ['a\0b.txt', 'ab.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['.env.example', '.env.example'],
    ['a\ud800.txt', 'a.txt'],
    ['a \0 b.txt', 'a b.txt'],
    ['a\t\u202e\tb.txt', 'a b.txt'],
  ])('makes %j into %j', (name, expected) => {
    expect(cleanFilename(name)).toBe(expected);
  });

  it.each([null, undefined, '', ' ', '.', '..', '/', '\\..\\', '\0', '\u202e'])('replaces %j', (name) => {
    expect(cleanFilename(name)).toBe('attachment');
    expect(cleanFilename(name, 'message.eml')).toBe('message.eml');
  });

  it('shortens a long name and keeps its extension', () => {
    const name = cleanFilename(`${'ü'.repeat(500)}.tar.gz`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^ü{125,}\.gz$/);
    expect(Buffer.byteLength(cleanFilename('x'.repeat(1_000_000)))).toBe(255);
    expect(cleanFilename(`${'x'.repeat(254)} ${'y'.repeat(99)}`)).toBe('x'.repeat(254));
    expect(cleanFilename(`${'.'.repeat(300)} without an extension`)).toBe('attachment');
  });

  it('gives a harmless name for any text, and the same for what it gave', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), awkward), (text) => {
        const name = cleanFilename(text);
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cs}]/u);
        expect(name).not.toMatch(/^\.{0,2}$/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(cleanFilename(name)).toBe(name);
      }),
    );
  });
});

describe('downloadFilename', () => {
  it('never names a hidden file', () => {
    expect(downloadFilename('.bashrc')).toBe('_bashrc');
    expect(downloadFilename('../.bashrc')).toBe('__.bashrc');
    expect(downloadFilename('a.txt')).toBe('a.txt');
  });
});
