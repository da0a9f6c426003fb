/*
 * The two signatures of a delivery, both HMAC-SHA256. That of Standard Webhooks covers id, time and body, and
 * its key is the decoded bytes of the secret. The plain one covers the body alone, and its key is the text of
 * the secret. WebCrypto is in every runtime, and its `verify` compares in constant time.
 */
import { webhookSecretPrefix } from '../generated/brand.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes to sign, and the key. */
export interface SigningInput {
  key: Bytes;
  content: Bytes;
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/** Returns the input of the Standard Webhooks signature, or null if the secret is not that of a webhook. */
export function standardInput(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Bytes },
): SigningInput | null {
  const key = fromBase64(
    secret.startsWith(webhookSecretPrefix) ? secret.slice(webhookSecretPrefix.length) : secret,
  );
  if (key === null || key.length === 0) return null;
  const head = toBytes(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return { key, content };
}

/** Returns the input of the plain signature. */
export function plainInput(secret: string, body: Bytes): SigningInput {
  return { key: toBytes(secret), content: body };
}

/** Returns the signature. */
export async function sign({ key, content }: SigningInput): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(algorithm, imported, content));
}

/** Returns whether one of the signatures is valid. */
export async function isSigned({ key, content }: SigningInput, signatures: Bytes[]): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  for (const signature of signatures) {
    if (await crypto.subtle.verify(algorithm, imported, signature, content)) return true;
  }
  return false;
}

/** Returns a text as UTF-8. */
export function toBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Returns the bytes of a text in Base64, or null if it is not Base64. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Returns bytes in Base64. */
export function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Returns the bytes of a text in lower-case hex, or null if it is not lower-case hex. */
export function fromHex(text: string): Bytes | null {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Returns bytes in lower-case hex. */
export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
