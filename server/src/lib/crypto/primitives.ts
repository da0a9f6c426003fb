import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Returns the SHA-256 of bytes, or of a text as UTF-8: 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Returns bytes in hexadecimal, in lower case. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The keys that are derived from one root secret. `keyId` identifies the root in tokens without revealing anything about it. */
export interface DerivedKeys {
  keyId: string;
  /** Returns the 32-byte key for one purpose, for example `files`. A purpose always has the same key. */
  key(purpose: string): KeyObject;
}

const salt = 'keys v1';

function derive(root: string, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', root, salt, purpose, length));
}

/** Creates the keys of one root secret by HKDF-SHA256 (RFC 5869), each of them once. Throws a RangeError if the root is empty. */
export function deriveKeys(root: string): DerivedKeys {
  if (root === '') throw new RangeError('The root secret is empty.');
  const made = new Map<string, KeyObject>();
  return {
    keyId: derive(root, 'id', 6).toString('base64url'),
    key(purpose) {
      const known = made.get(purpose);
      if (known !== undefined) return known;
      // Without the prefix, the public key id would reveal the first bytes of the key for a purpose called "id".
      const key = createSecretKey(derive(root, `key ${purpose}`, 32));
      made.set(purpose, key);
      return key;
    },
  };
}

/** Returns the HMAC-SHA256 of a text (as UTF-8) in base64url, 43 characters. */
export function sign(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64url');
}

/** Returns whether `signature` is exactly what `sign` returns for this key and text, in time that does not depend on where they differ. */
export function verifySignature(key: KeyObject, text: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, text), 'latin1');
  const given = Buffer.from(signature, 'utf8');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text by AES-256-GCM, so that only these keys can read it, and only for the same purpose and owner. Returns `<key
 * id>.<base64url>`.
 */
export function encrypt(keys: DerivedKeys, purpose: string, owner: string, text: string): string {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, keys.key(purpose), iv, { authTagLength: tagBytes });
  encryption.setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([
    iv,
    encryption.update(text, 'utf8'),
    encryption.final(),
    encryption.getAuthTag(),
  ]);
  return `${keys.keyId}.${sealed.toString('base64url')}`;
}

/** Returns the text that `encrypt` was given. Throws an Error if it was encrypted by other keys or for another purpose or owner. */
export function decrypt(keys: DerivedKeys, purpose: string, owner: string, token: string): string {
  const [keyId, sealed = ''] = token.split('.');
  if (keyId !== keys.keyId) throw new Error(`It was encrypted by the root secret with the id ${keyId}.`);
  const bytes = Buffer.from(sealed, 'base64url');
  const decryption = createDecipheriv(cipher, keys.key(purpose), bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decryption.setAAD(Buffer.from(owner));
  decryption.setAuthTag(bytes.subarray(-tagBytes));
  return decryption.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decryption.final('utf8');
}

/** Returns whether these keys have encrypted a text. */
export function isReadable(keys: DerivedKeys, token: string): boolean {
  return token.startsWith(`${keys.keyId}.`);
}
