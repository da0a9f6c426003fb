import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The keys that come from one root secret; `keyId` names the root in tokens without saying anything about it. */
export interface DerivedKeys {
  keyId: string;
  /** The 32-byte key for one purpose, for example `files`; a purpose always gives the same key. */
  key(purpose: string): Buffer;
}

const salt = 'keys v1';

function derive(root: string, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', root, salt, purpose, length));
}

/** All keys of one root secret by HKDF-SHA256 (RFC 5869), each made once; throws a RangeError when the root is empty. */
export function deriveKeys(root: string): DerivedKeys {
  if (root === '') throw new RangeError('The root secret is empty.');
  const made = new Map<string, Buffer>();
  return {
    keyId: derive(root, 'id', 6).toString('base64url'),
    key(purpose) {
      const known = made.get(purpose);
      if (known !== undefined) return known;
      // The prefix keeps a purpose called "id" from giving away the bytes of a key as the public key id.
      const key = derive(root, `key ${purpose}`, 32);
      made.set(purpose, key);
      return key;
    },
  };
}

/** The HMAC-SHA256 of a text (as UTF-8) in base64url, 43 characters. */
export function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64url');
}

/** Whether `signature` is exactly what `sign` gives for this key and text, in time that does not depend on where they differ. */
export function verifySignature(key: Buffer, text: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, text), 'latin1');
  const given = Buffer.from(signature, 'utf8');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
