/*
 * The addresses to which reports about a message return: `bounces+<token>@<mail domain>`, one for each recipient. The token names the
 * workspace, message and recipient, and is signed, so that nobody can create one for a mail that they did not get. It is 56 characters of
 * digits and lower-case letters, because local parts have 64 at most (RFC 5321, section 4.5.3.1.1) and may return in any case: 2 of the
 * key, 10 of the workspace (the time in its id), 26 of the message, 2 of the recipient's position, and 16 that are 80 bits of HMAC.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKeys } from './crypto/secrets.ts';
import { isId } from './ids.ts';

/** The recipient of a message that a return path belongs to. */
export interface ReturnPath {
  /** The range of ids that includes that of its workspace, with both ends. In practice it holds this one only. */
  workspaceIds: { from: string; to: string };
  messageId: string;
  /** The position of the recipient among those of the message. */
  position: number;
}

const purpose = 'return paths';
const prefix = 'bounces+';
const workspaceLength = 10;
const idLength = 26;
const macLength = 16;
const tokenPattern = /^(([0-9a-v]{2})([0-9a-z]{10})([0-9a-z]{26})([0-9a-v]{2}))([0-9a-v]{16})$/;

/** Returns the return path of one recipient, at a domain of this server. */
export function returnPathOf(
  keys: DerivedKeys,
  domain: string,
  to: { workspaceId: string; messageId: string; position: number },
): string {
  const workspace = to.workspaceId.slice('wsp_'.length).slice(0, workspaceLength);
  const place = to.position.toString(32).padStart(2, '0');
  const signed = `${keyHint(keys)}${workspace}${to.messageId.slice('msg_'.length)}${place}`;
  return `${prefix}${signed}${mac(keys, signed)}@${domain}`;
}

/** Returns whether an address, in its one spelling, is spelled as a return path of this domain, genuine or not. */
export function isReturnPath(address: string, domain: string): boolean {
  return address.startsWith(prefix) && address.endsWith(`@${domain}`);
}

/** Returns the recipient of a return path, or null if it is not one of this domain or is not signed by any of `keys`. */
export function readReturnPath(
  address: string,
  domain: string,
  keys: readonly DerivedKeys[],
): ReturnPath | null {
  if (!isReturnPath(address, domain)) return null;
  const token = address.slice(prefix.length, -(domain.length + 1));
  const [, signed, hint, workspace, message, place, signature] = tokenPattern.exec(token) ?? [];
  if (signed === undefined || signature === undefined || place === undefined) return null;
  if (!keys.some((each) => keyHint(each) === hint && isEqual(mac(each, signed), signature))) return null;
  const messageId = `msg_${message}`;
  if (!isId('msg', messageId)) return null;
  const rest = idLength - workspaceLength;
  const workspaceIds = {
    from: `wsp_${workspace}${'0'.repeat(rest)}`,
    to: `wsp_${workspace}${'z'.repeat(rest)}`,
  };
  return { workspaceIds, messageId, position: Number.parseInt(place, 32) };
}

/** Returns a text that distinguishes the keys of different roots, so that few have to be tried. */
function keyHint({ keyId }: DerivedKeys): string {
  return (Buffer.from(keyId, 'base64url')[0] ?? 0).toString(32).padStart(2, '0');
}

function mac(keys: DerivedKeys, signed: string): string {
  const digest = createHmac('sha256', keys.key(purpose)).update(signed).digest('hex');
  return BigInt(`0x${digest.slice(0, (macLength * 5) / 4)}`)
    .toString(32)
    .padStart(macLength, '0');
}

/** Both texts must have the same length. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
