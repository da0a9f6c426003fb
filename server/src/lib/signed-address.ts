/*
 * Addresses of this server that are recognised without a look-up: `bounces+<token>@<domain>` for reports about a message, and
 * `dmarc+<token>@<domain>` for DMARC reports. The token is signed, so nobody can make up an address that they did not get. It consists of
 * digits and lower-case letters, because local parts have 64 characters at most (RFC 5321, section 4.5.3.1.1) and may return in any case:
 * 2 characters of the key, the content, and 16 that are 80 bits of HMAC.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKeys } from './crypto/primitives.ts';
import { isId } from './ids.ts';

/** The purpose of a token. Each purpose has its own key, so that no token serves another purpose. */
export type TokenPurpose = 'return paths' | 'report addresses';

/** The range of ids that includes that of a workspace, with both ends. In practice it holds this one only. */
interface WorkspaceIds {
  from: string;
  to: string;
}

/** The part of the workspace's id that a token contains: the time in it. */
const workspaceLength = 10;
const idLength = 26;
const macLength = 16;
const tokenPattern = /^([0-9a-v]{2})([0-9a-z]+)([0-9a-v]{16})$/;

/** Returns the token of a content, which consists of digits and lower-case letters. */
function signToken(keys: DerivedKeys, purpose: TokenPurpose, content: string): string {
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
function workspacePart(workspaceId: string): string {
  return workspaceId.slice('wsp_'.length).slice(0, workspaceLength);
}

/** Returns the ids that begin with the part of a token. */
function workspaceIdRange(part: string): WorkspaceIds {
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

/** The recipient that a return path belongs to. Its token has 10 characters of the workspace, 26 of the message and 2 of the position. */
interface ReturnPath {
  workspaceIds: WorkspaceIds;
  messageId: string;
  /** The position of the recipient among those of the message. */
  position: number;
}

const pathPrefix = 'bounces+';
const pathPattern = /^([0-9a-z]{10})([0-9a-z]{26})([0-9a-v]{2})$/;

/** Returns the return path of one recipient, at a domain of this server. */
export function makeReturnPath(
  keys: DerivedKeys,
  domain: string,
  to: { workspaceId: string; messageId: string; position: number },
): string {
  const place = to.position.toString(32).padStart(2, '0');
  const content = `${workspacePart(to.workspaceId)}${to.messageId.slice('msg_'.length)}${place}`;
  return `${pathPrefix}${signToken(keys, 'return paths', content)}@${domain}`;
}

/** Returns whether an address, in its one spelling, is spelled as a return path of this domain, genuine or not. */
export function isReturnPath(address: string, domain: string): boolean {
  return address.startsWith(pathPrefix) && address.endsWith(`@${domain}`);
}

/** Returns the recipient of a return path, or null if it is not one of this domain or is not signed by any of `keys`. */
export function readReturnPath(
  address: string,
  domain: string,
  keys: readonly DerivedKeys[],
): ReturnPath | null {
  if (!isReturnPath(address, domain)) return null;
  const content = readToken(keys, 'return paths', address.slice(pathPrefix.length, -(domain.length + 1)));
  const [, workspace, message, place] = pathPattern.exec(content ?? '') ?? [];
  if (workspace === undefined || place === undefined) return null;
  const messageId = `msg_${message}`;
  if (!isId('msg', messageId)) return null;
  return { workspaceIds: workspaceIdRange(workspace), messageId, position: Number.parseInt(place, 32) };
}

const reportPrefix = 'dmarc+';
const reportPattern = /^([0-9a-z]{10})([0-9a-z]{26})$/;

/** Returns the address for reports on a domain of a workspace, at its MAIL FROM domain. */
export function makeReportAddress(
  keys: DerivedKeys,
  mailFromDomain: string,
  { workspaceId, domainId }: { workspaceId: string; domainId: string },
): string {
  const content = `${workspacePart(workspaceId)}${domainId.slice('dom_'.length)}`;
  return `${reportPrefix}${signToken(keys, 'report addresses', content)}@${mailFromDomain}`;
}

/** Returns whether an address, in its one spelling, is spelled as one for DMARC reports, genuine or not. */
export function isReportAddress(address: string): boolean {
  return address.startsWith(reportPrefix);
}

/** Returns the domain that an address in its one spelling takes reports on; null if it is another address or is not signed by `keys`. */
export function readReportAddress(
  address: string,
  keys: readonly DerivedKeys[],
): { workspaceIds: WorkspaceIds; domainId: string } | null {
  if (!isReportAddress(address)) return null;
  const content = readToken(
    keys,
    'report addresses',
    address.slice(reportPrefix.length, address.lastIndexOf('@')),
  );
  const [, workspace, domain] = reportPattern.exec(content ?? '') ?? [];
  if (workspace === undefined) return null;
  const domainId = `dom_${domain}`;
  return isId('dom', domainId) ? { workspaceIds: workspaceIdRange(workspace), domainId } : null;
}
