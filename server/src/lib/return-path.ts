/*
 * Where reports about a message come back: `bounces+<token>@<mail domain>`, one for each recipient. The token names workspace,
 * message and recipient and is signed, so that nobody can make one for a mail that he did not get. It is 56 characters of digits
 * and lower-case letters, because local parts have 64 at most (RFC 5321, section 4.5.3.1.1) and come back in any case:
 * 2 of the key, 10 of the workspace (the time in its id), 26 of the message, 2 of the recipient's place, and 80 bits of HMAC.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from './ids.ts';
import type { DerivedKeys } from './secrets.ts';

/** The recipient of a message that a return path stands for. */
export interface ReturnPath {
  /** The ids between which that of its workspace lies, both included; they are as good as one. */
  workspaceIds: { from: string; to: string };
  messageId: string;
  /** The place of the recipient among those of the message. */
  position: number;
}

const purpose = 'return paths';
const prefix = 'bounces+';
const workspaceLength = 10;
const idLength = 26;
const macLength = 16;
const tokenPattern = /^(([0-9a-v]{2})([0-9a-z]{10})([0-9a-z]{26})([0-9a-v]{2}))([0-9a-v]{16})$/;

/** The return path of one recipient, below the shared mail domain. */
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

/** Whether an address, in its one spelling, is spelled as a return path of this domain, genuine or not. */
export function isReturnPath(address: string, domain: string): boolean {
  return address.startsWith(prefix) && address.endsWith(`@${domain}`);
}

/** What a return path stands for; null when it is none of this domain, or signed by none of `keys`. */
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

/** Tells the keys of an older root from those of this one, so that few have to be tried. */
function keyHint({ keyId }: DerivedKeys): string {
  return (Buffer.from(keyId, 'base64url')[0] ?? 0).toString(32).padStart(2, '0');
}

function mac(keys: DerivedKeys, signed: string): string {
  const digest = createHmac('sha256', keys.key(purpose)).update(signed).digest('hex');
  return BigInt(`0x${digest.slice(0, (macLength * 5) / 4)}`)
    .toString(32)
    .padStart(macLength, '0');
}

/** Both are of one length. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
