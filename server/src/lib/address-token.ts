/*
 * Signed tokens within addresses of this server, such as `bounces+<token>@<domain>`, so that a recipient is recognised without a look-up.
 * They consist of digits and lower-case letters, because local parts have 64 characters at most (RFC 5321, section 4.5.3.1.1) and may
 * return in any case: 2 characters of the key, the content, and 16 that are 80 bits of HMAC.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKeys } from './crypto/secrets.ts';

/** The purpose of a token. Each has a key of its own, so that no token serves another purpose. */
export type TokenPurpose = 'return paths' | 'report addresses';

/** The range of ids that includes that of a workspace, with both ends. In practice it holds this one only. */
export interface WorkspaceIds {
  from: string;
  to: string;
}

/** How much of the workspace's id a token has: the time in it. */
const workspaceLength = 10;
const idLength = 26;
const macLength = 16;
const tokenPattern = /^([0-9a-v]{2})([0-9a-z]+)([0-9a-v]{16})$/;

/** Returns the token of a content, which consists of digits and lower-case letters. */
export function signToken(keys: DerivedKeys, purpose: TokenPurpose, content: string): string {
  const signed = `${keyHint(keys)}${content}`;
  return `${signed}${mac(keys, purpose, signed)}`;
}

/** Returns the content of a token, or null if none of `keys` has signed it for this purpose. */
export function readToken(keys: readonly DerivedKeys[], purpose: TokenPurpose, token: string): string | null {
  const [, hint, content, signature] = tokenPattern.exec(token) ?? [];
  if (content === undefined || signature === undefined) return null;
  const isGenuine = (each: DerivedKeys) =>
    keyHint(each) === hint && isEqual(mac(each, purpose, `${hint}${content}`), signature);
  return keys.some(isGenuine) ? content : null;
}

/** Returns the beginning of a workspace's id, by which a token names it. */
export function workspacePart(workspaceId: string): string {
  return workspaceId.slice('wsp_'.length).slice(0, workspaceLength);
}

/** Returns the ids that begin with the part of a token. */
export function workspacesOf(part: string): WorkspaceIds {
  const rest = idLength - workspaceLength;
  return { from: `wsp_${part}${'0'.repeat(rest)}`, to: `wsp_${part}${'z'.repeat(rest)}` };
}

/** Returns a text that distinguishes the keys of different roots, so that few have to be tried. */
function keyHint({ keyId }: DerivedKeys): string {
  return (Buffer.from(keyId, 'base64url')[0] ?? 0).toString(32).padStart(2, '0');
}

function mac(keys: DerivedKeys, purpose: TokenPurpose, signed: string): string {
  const digest = createHmac('sha256', keys.key(purpose)).update(signed).digest('hex');
  return BigInt(`0x${digest.slice(0, (macLength * 5) / 4)}`)
    .toString(32)
    .padStart(macLength, '0');
}

/** Both texts must have the same length. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
