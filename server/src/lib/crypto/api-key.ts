import { randomBytes } from 'node:crypto';
import { brand } from '@postrider/contract';
import { sha256 } from './primitives.ts';

/** The kinds of keys. A key of a test workspace looks different, so that nobody pastes a live one into a test. */
export type ApiKeyKind = keyof typeof brand.keyPrefix;

/** A newly created key: `key` is shown once, `hash` is stored, and `hint` distinguishes keys in lists. */
export interface NewApiKey {
  key: string;
  hash: Buffer;
  hint: string;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(alphabet.length);
const suffixLength = 43;
const hintLength = 4;
const suffixPattern = /^[0-9A-Za-z]{43}$/;

/** Creates an API key: the prefix of its kind and 43 base62 characters that spell 32 random bytes as one number. */
export function newApiKey(kind: ApiKeyKind): NewApiKey {
  return newKey(brand.keyPrefix[kind]);
}

/** Creates an admin token. Like a key, it is 32 random bytes behind its prefix. */
export function newAdminToken(): NewApiKey {
  return newKey(brand.adminTokenPrefix);
}

function newKey(prefix: string): NewApiKey {
  const key = prefix + spell(randomBytes(32));
  return { key, hash: hashApiKey(key), hint: keyHint(key) };
}

/** Returns the SHA-256 of a key, which is stored. A key has 256 random bits, so it needs no salt and no slow hash. */
export function hashApiKey(key: string): Buffer {
  return sha256(key);
}

/** Returns the part of a key or an admin token that may be shown in lists: its prefix and its last four characters. */
export function keyHint(key: string): string {
  const prefixes = [...Object.values(brand.keyPrefix), brand.adminTokenPrefix];
  const prefix = prefixes.find((each) => key.startsWith(each)) ?? '';
  return `${prefix}…${key.slice(-hintLength)}`;
}

/** Returns whether a text is spelled like a key of either kind. No other text is looked up. */
export function looksLikeApiKey(text: string): boolean {
  return kindOfApiKey(text) !== null;
}

/** Returns whether a text is spelled like an admin token. */
export function looksLikeAdminToken(text: string): boolean {
  const prefix = brand.adminTokenPrefix;
  return text.startsWith(prefix) && suffixPattern.test(text.slice(prefix.length));
}

/** Returns the kind of a key by its prefix, or null if the text is not a key. */
export function kindOfApiKey(text: string): ApiKeyKind | null {
  const kinds: ApiKeyKind[] = ['live', 'test'];
  const matches = (kind: ApiKeyKind) =>
    text.startsWith(brand.keyPrefix[kind]) && suffixPattern.test(text.slice(brand.keyPrefix[kind].length));
  return kinds.find(matches) ?? null;
}

/** Every number below 2^256 fits into 43 characters, so all keys are equally likely. */
function spell(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (number > 0n) {
    text = alphabet[Number(number % base)] + text;
    number /= base;
  }
  return text.padStart(suffixLength, alphabet[0]);
}
