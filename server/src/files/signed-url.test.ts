import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKeys, sign } from '../lib/crypto/primitives.ts';
import { newId } from '../lib/ids.ts';
import { signFileToken, signFileUrl, verifyFileToken } from './signed-url.ts';

const keys = deriveKeys('a root secret of the tests');
const older = deriveKeys('the root secret before it');
const now = new Date('2026-11-20T10:00:00.000Z');
const expiresAt = new Date('2026-11-20T10:15:00.000Z');
const grant = { workspaceId: newId('wsp'), fileId: newId('att'), expiresAt };

describe('signFileUrl', () => {
  it('makes a link whose token gives the grant back', () => {
    const url = signFileUrl('https://mail.example.com/', keys, grant);
    expect(url).toMatch(/^https:\/\/mail\.example\.com\/files\/[\w.-]{80,250}$/);
    expect(verifyFileToken(url.split('/').at(-1) ?? '', [keys], now)).toEqual(grant);
  });

  it('takes attachments and messages only', () => {
    const message = { ...grant, fileId: newId('msg') };
    expect(verifyFileToken(signFileToken(keys, message), [keys], now)).toEqual(message);
    expect(() => signFileToken(keys, { ...grant, fileId: newId('inb') })).toThrow(TypeError);
    expect(() => signFileToken(keys, { ...grant, workspaceId: '../wsp' })).toThrow(TypeError);
  });
});

describe('verifyFileToken', () => {
  const token = signFileToken(keys, grant);

  it('ends at the moment of expiry', () => {
    expect(verifyFileToken(token, [keys], new Date(expiresAt.getTime() - 1))).toEqual(grant);
    expect(verifyFileToken(token, [keys], expiresAt)).toBeNull();
    expect(verifyFileToken(token, [keys], new Date('2126-01-01'))).toBeNull();
  });

  it('accepts older keys while they count, and no others', () => {
    const before = signFileToken(older, grant);
    expect(verifyFileToken(before, [keys, older], now)).toEqual(grant);
    expect(verifyFileToken(token, [keys, older], now)).toEqual(grant);
    expect(verifyFileToken(before, [keys], now)).toBeNull();
    expect(verifyFileToken(token, [], now)).toBeNull();
  });

  it('does not accept a signature of the same key for another purpose', () => {
    const [keyId, encoded] = token.split('.');
    const forged = `${keyId}.${encoded}.${sign(keys.key('sessions'), `${keyId}.${encoded}`)}`;
    expect(verifyFileToken(forged, [keys], now)).toBeNull();
  });

  it('refuses a token in which one character was replaced, added or left out, wherever', () => {
    const place = fc.nat(token.length);
    const char = fc.oneof(
      fc.constantFrom(...'AZaz09-_.=/ \n\0'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(place, char, fc.boolean(), (at, text, isReplaced) => {
        const changed = token.slice(0, at) + text + token.slice(isReplaced ? at + 1 : at);
        if (changed !== token) expect(verifyFileToken(changed, [keys], now)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
    for (let at = 0; at < token.length; at += 1) {
      expect(verifyFileToken(token.slice(0, at) + token.slice(at + 1), [keys], now)).toBeNull();
    }
  });

  it('refuses parts of different tokens put together', () => {
    const others = [
      { ...grant, fileId: newId('att') },
      { ...grant, workspaceId: newId('wsp') },
      { ...grant, expiresAt: new Date('2027-01-01') },
    ];
    const [keyId, encoded, signature] = token.split('.');
    for (const other of others) {
      const [, otherEncoded, otherSignature] = signFileToken(keys, other).split('.');
      expect(verifyFileToken(`${keyId}.${otherEncoded}.${signature}`, [keys], now)).toBeNull();
      expect(verifyFileToken(`${keyId}.${encoded}.${otherSignature}`, [keys], now)).toBeNull();
      expect(verifyFileToken(`${older.keyId}.${encoded}.${signature}`, [keys, older], now)).toBeNull();
    }
  });

  it('refuses any other text without throwing, also one that is signed but says nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(verifyFileToken(text, [keys], now)).toBeNull();
        const signed = `${keys.keyId}.${Buffer.from(text).toString('base64url')}`;
        expect(verifyFileToken(`${signed}.${sign(keys.key('file links'), signed)}`, [keys], now)).toBeNull();
      }),
    );
    expect(verifyFileToken('a'.repeat(1_000_000), [keys], now)).toBeNull();
    const endless = Buffer.from(`${grant.workspaceId} ${grant.fileId} !`).toString('base64url');
    const signed = `${keys.keyId}.${endless}`;
    expect(verifyFileToken(`${signed}.${sign(keys.key('file links'), signed)}`, [keys], now)).toBeNull();
  });
});
