/*
 * The addresses to which reports about a message return: `bounces+<token>@<mail domain>`, one for each recipient. The token names the
 * workspace, message and recipient, and is signed, so that nobody can create one for a mail that they did not get. Its content is 38
 * characters: 10 of the workspace, 26 of the message and 2 of the recipient's position.
 */
import { readToken, signToken, type WorkspaceIds, workspacePart, workspacesOf } from './address-token.ts';
import type { DerivedKeys } from './crypto/secrets.ts';
import { isId } from './ids.ts';

/** The recipient of a message that a return path belongs to. */
export interface ReturnPath {
  workspaceIds: WorkspaceIds;
  messageId: string;
  /** The position of the recipient among those of the message. */
  position: number;
}

const purpose = 'return paths';
const prefix = 'bounces+';
const contentPattern = /^([0-9a-z]{10})([0-9a-z]{26})([0-9a-v]{2})$/;

/** Returns the return path of one recipient, at a domain of this server. */
export function returnPathOf(
  keys: DerivedKeys,
  domain: string,
  to: { workspaceId: string; messageId: string; position: number },
): string {
  const place = to.position.toString(32).padStart(2, '0');
  const content = `${workspacePart(to.workspaceId)}${to.messageId.slice('msg_'.length)}${place}`;
  return `${prefix}${signToken(keys, purpose, content)}@${domain}`;
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
  const content = readToken(keys, purpose, address.slice(prefix.length, -(domain.length + 1)));
  const [, workspace, message, place] = contentPattern.exec(content ?? '') ?? [];
  if (workspace === undefined || place === undefined) return null;
  const messageId = `msg_${message}`;
  if (!isId('msg', messageId)) return null;
  return { workspaceIds: workspacesOf(workspace), messageId, position: Number.parseInt(place, 32) };
}
