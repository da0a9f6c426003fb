import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { deriveKeys } from './crypto/primitives.ts';
import { decodeCursor, decodeTimeCursor, encodeCursor, openCursor, sealCursor } from './cursor.ts';
import { cleanText } from './texts.ts';

const part = fc.string({ unit: 'binary', maxLength: 40 }).map(cleanText);

describe('cursors', () => {
  it('give back the keys that they were made of', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const cursor = encodeCursor(parts);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, parts.length)).toEqual(parts);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['no JSON', Buffer.from('hello').toString('base64url')],
    ['an object', Buffer.from('{"0":"a","1":"b","length":2}').toString('base64url')],
    ['numbers', Buffer.from('[1,2]').toString('base64url')],
    ['too few keys', encodeCursor(['a'])],
    ['too many keys', encodeCursor(['a', 'b', 'c'])],
    ['a NUL', encodeCursor(['a', 'b\0'])],
    ['a lone surrogate', Buffer.from('["a","\\ud800"]').toString('base64url')],
    ['padding', `${encodeCursor(['a', 'b'])}=`],
    ['blanks in the JSON', Buffer.from('["a", "b"]').toString('base64url')],
    ['deep nesting', Buffer.from('['.repeat(500)).toString('base64url')],
    ['megabytes', encodeCursor(['a', 'b'.repeat(2_000_000)])],
  ])('are a 400 that names the field when they hold %s', (_what, text) => {
    expect(() => decodeCursor(text, 2)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        extra: { issues: [expect.objectContaining({ path: 'cursor' })] },
      }),
    );
  });

  it('of a time and a text give back both, and hold no other time than one that was written here', () => {
    const at = new Date('2026-11-21T20:51:04.123Z');
    expect(decodeTimeCursor(encodeCursor([at.toISOString(), 'a']))).toEqual({ at, key: 'a' });
    for (const time of [
      '',
      'now',
      '+275760-09-13T00:00:00.000Z',
      '-000001-01-01T00:00:00.000Z',
      '2026-13-01',
    ])
      expect(() => decodeTimeCursor(encodeCursor([time, 'a']))).toThrow(ApiError);
  });

  it('that are secret are read by their list alone, and show nothing of their keys', () => {
    const keys = deriveKeys('one');
    const cursor = encodeCursor(['msg_1', 'é\u4e00']);
    const sealed = sealCursor(keys, 'messages', cursor, true);
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('msg_1');
    expect(openCursor(keys, 'messages', sealed, true)).toBe(cursor);
    expect(() => openCursor(keys, 'threads', sealed, true)).toThrow(ApiError);
    expect(() => openCursor(deriveKeys('two'), 'messages', sealed, true)).toThrow(ApiError);
    for (const text of ['', 'x', sealed.slice(1), sealCursor(keys, 'messages', cursor)])
      expect(() => openCursor(keys, 'messages', text, true)).toThrow(ApiError);
    expect(() => openCursor(keys, 'messages', sealed)).toThrow(ApiError);
  });

  it('are signed for their list: by other keys, of another list or changed they are a 400', () => {
    const keys = deriveKeys('one');
    const cursor = encodeCursor(['msg_1']);
    const sealed = sealCursor(keys, 'messages', cursor);
    expect(openCursor(keys, 'messages', sealed)).toBe(cursor);
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(sealed.length - cursor.length).toBe(16);
    const refused = expect.objectContaining({ code: 'invalid_request' });
    expect(() => openCursor(deriveKeys('two'), 'messages', sealed)).toThrow(refused);
    expect(() => openCursor(keys, 'inboxes', sealed)).toThrow(refused);
    for (const text of [cursor, '', `${sealed}=`, sealed.slice(1), 'é'.repeat(16), sealed.slice(-16)])
      expect(() => openCursor(keys, 'messages', text)).toThrow(refused);
  });

  it('never fail in another way, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.base64String(),
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
        ),
        (text) => {
          try {
            expect(decodeCursor(text, 2)).toHaveLength(2);
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError);
          }
        },
      ),
    );
  });
});
