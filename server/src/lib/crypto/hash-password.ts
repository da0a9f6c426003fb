import * as crypto from 'node:crypto';
import { promisify } from 'node:util';
import { hashSlots } from '../admission/server-limits.ts';
import { Slots } from '../admission/slots.ts';
import { unavailable } from '../api-error.ts';

/*
 * Hashes of passwords in the PHC string format. Argon2id has the parameters that OWASP recommends (19 MiB, 2 passes), and scrypt, for a
 * Node without Argon2, has N = 2^17, r = 8, p = 1.
 */
const argonParameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const scryptParameters = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1_048_576 };
const saltBytes = 16;
const tagBytes = 32;

const hashing = new Slots(hashSlots, { refusal: () => unavailable() });

type Argon2 = (
  algorithm: 'argon2id',
  parameters: {
    message: Buffer;
    nonce: Buffer;
    memory: number;
    passes: number;
    parallelism: number;
    tagLength: number;
  },
) => Promise<Buffer>;

const argon2 = 'argon2' in crypto ? (promisify(crypto.argon2) as Argon2) : null;
const scrypt = promisify(crypto.scrypt) as (
  password: Buffer,
  salt: Buffer,
  length: number,
  options: crypto.ScryptOptions,
) => Promise<Buffer>;

/**
 * Returns the hash of a password, with its algorithm, parameters and salt. Passwords that look the same are the same (Unicode NFKC). Owners
 * take turns, so that the hashes of one client or person do not delay those of others; by default the owner is the server itself.
 *
 * @throws ApiError `unavailable` if too many hashes of this owner wait, or if it takes too long.
 */
export function hashPassword(password: string, owner = ''): Promise<string> {
  const salt = crypto.randomBytes(saltBytes);
  return hashing.run(owner, async () => {
    if (argon2 === null) {
      const { N, r, p } = scryptParameters;
      return phc('scrypt', `ln=${Math.log2(N)},r=${r},p=${p}`, salt, await byScrypt(password, salt));
    }
    const { memory, passes, parallelism } = argonParameters;
    return phc(
      'argon2id',
      `v=19$m=${memory},t=${passes},p=${parallelism}`,
      salt,
      await byArgon(argon2, password, salt),
    );
  });
}

/**
 * Returns whether a password has this hash. Takes as long without a hash, so that the time does not tell whether an account exists. A hash
 * by an algorithm that this Node does not have matches nothing. Owners take turns, and are refused, as in `hashPassword`.
 */
export function verifyPassword(password: string, hash: string | null, owner = ''): Promise<boolean> {
  const parts = (hash ?? '').split('$');
  const salt = Buffer.from(parts.at(-2) ?? '', 'base64url');
  const expected = Buffer.from(parts.at(-1) ?? '', 'base64url');
  return hashing.run(owner, async () => {
    const isScrypt = parts[1] === 'scrypt' || argon2 === null;
    const made = isScrypt ? await byScrypt(password, salt) : await byArgon(argon2, password, salt);
    const isKnown = parts[1] === (isScrypt ? 'scrypt' : 'argon2id');
    return isKnown && made.length === expected.length && crypto.timingSafeEqual(made, expected);
  });
}

function byArgon(hash: Argon2, password: string, salt: Buffer): Promise<Buffer> {
  // Argon2 refuses a nonce of less than 8 bytes, which only a missing hash has.
  const nonce = salt.length >= 8 ? salt : Buffer.alloc(saltBytes);
  return hash('argon2id', { message: passwordBytes(password), nonce, ...argonParameters });
}

function byScrypt(password: string, salt: Buffer): Promise<Buffer> {
  return scrypt(passwordBytes(password), salt, tagBytes, scryptParameters);
}

function passwordBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'));
}

function phc(algorithm: string, parameters: string, salt: Buffer, tag: Buffer): string {
  return `$${algorithm}$${parameters}$${salt.toString('base64url')}$${tag.toString('base64url')}`;
}
