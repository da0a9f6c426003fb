import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKeys, sign, verifySignature } from './primitives.ts';

const root = 'a root secret of the tests, long enough';

describe('deriveKeys', () => {
  it('gives the same keys for the same root, and other keys for other purposes and roots', () => {
    const keys = deriveKeys(root);
    expect(keys.key('files').symmetricKeySize).toBe(32);
    expect(keys.key('files').equals(deriveKeys(root).key('files'))).toBe(true);
    expect(keys.keyId).toBe(deriveKeys(root).keyId);
    expect(keys.key('files').equals(keys.key('sessions'))).toBe(false);
    expect(keys.key('files').equals(deriveKeys(`${root}.`).key('files'))).toBe(false);
    expect(keys.keyId).not.toBe(deriveKeys(`${root}.`).keyId);
  });

  it('has a key id of 8 URL-safe characters that is part of no key', () => {
    const keys = deriveKeys(root);
    expect(keys.keyId).toMatch(/^[\w-]{8}$/);
    for (const purpose of ['', 'id', 'files']) {
      expect(keys.key(purpose).export().toString('base64url')).not.toContain(keys.keyId);
    }
  });

  it('refuses an empty root', () => {
    expect(() => deriveKeys('')).toThrow(RangeError);
  });

  it('never changes, since links, sessions and secrets at rest depend on it', () => {
    expect(deriveKeys('fixed').keyId).toMatchInlineSnapshot(`"TYfmCTFh"`);
    expect(deriveKeys('fixed').key('files').export().toString('hex')).toMatchInlineSnapshot(
      `"56a63403c56a7455fc69381c3656adfea6f8a4dab7ab30f66be125b62da730c8"`,
    );
  });
});

describe('sign and verifySignature', () => {
  const key = deriveKeys(root).key('test');

  it('accepts a signature for its own key and text only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, other) => {
        const signature = sign(key, text);
        expect(signature).toMatch(/^[\w-]{43}$/);
        expect(verifySignature(key, text, signature)).toBe(true);
        expect(verifySignature(deriveKeys(`${root}.`).key('test'), text, signature)).toBe(false);
        if (Buffer.from(other).equals(Buffer.from(text))) return;
        expect(verifySignature(key, other, signature)).toBe(false);
      }),
    );
  });

  it('has one spelling of a signature', () => {
    const signature = sign(key, 'text');
    for (const changed of [
      '',
      signature.slice(0, -1),
      `${signature}=`,
      `${signature} `,
      ` ${signature}`,
      `${signature}A`,
    ]) {
      expect(verifySignature(key, 'text', changed)).toBe(false);
    }
    // The last of 43 characters carries two unused bits, which a lenient decoder would ignore.
    const last = signature.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const char of alphabet.replace(last, '')) {
      expect(verifySignature(key, 'text', signature.slice(0, -1) + char)).toBe(false);
    }
  });

  it('refuses any other text as a signature without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (signature) => {
        expect(verifySignature(key, 'text', signature)).toBe(false);
      }),
    );
  });
});
