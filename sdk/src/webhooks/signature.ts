/*
 * The two signatures of a delivery, each an HMAC-SHA256: that of Standard Webhooks over id, time and body, keyed with the bytes
 * of the secret, and the plain one over the body alone, keyed with the secret as it is written. WebCrypto is in every runtime, and
 * its `verify` takes the same time whatever differs.
 */
import { webhookSecretPrefix } from '../generated/brand.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** What is signed, and with what. */
export interface SigningInput {
  key: Bytes;
  content: Bytes;
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/** What Standard Webhooks signs; null when the secret is not one of a webhook. */
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

/** What the plain signature signs. */
export function plainInput(secret: string, body: Bytes): SigningInput {
  return { key: toBytes(secret), content: body };
}

/** The signature. */
export async function sign({ key, content }: SigningInput): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(algorithm, imported, content));
}

/** Whether one of the signatures is right. */
export async function isSigned({ key, content }: SigningInput, signatures: Bytes[]): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  for (const signature of signatures) {
    if (await crypto.subtle.verify(algorithm, imported, signature, content)) return true;
  }
  return false;
}

/** A text as UTF-8. */
export function toBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** The bytes of a text in base64; null when it is none. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Bytes in base64. */
export function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}

/** The bytes of a text in lower-case hex; null when it is none. */
export function fromHex(text: string): Bytes | null {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Bytes in lower-case hex. */
export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
