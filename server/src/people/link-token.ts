import { randomBytes } from 'node:crypto';
import { consolePath } from '@postrider/contract/console';
import type { Deps } from '../deps.ts';
import { sha256 } from '../lib/crypto/sha256.ts';
import { settingNames } from '../lib/start/setting-names.ts';

const tokenBytes = 32;

/** Returns the token of a link, and its SHA-256, which is stored. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, hash: sha256(token) };
}

/**
 * Returns the link to a page of the console. The token is in the fragment, which browsers send to no server and in no Referer.
 *
 * @throws Error in a process that does not know where the console is.
 */
export function pageLink(
  { address }: Pick<Deps, 'address'>,
  page: 'invitation' | 'new-password' | 'approve',
  token: string,
): string {
  if (address.publicUrl === '')
    throw new Error(`Set ${settingNames.publicUrl} to the URL of the server, so that links can lead to it.`);
  return `${address.publicUrl}${consolePath}/${page}#${token}`;
}
