import { type DerivedKeys, sign, verifySignature } from '../lib/crypto/primitives.ts';
import { isId } from '../lib/ids.ts';

/** The access that a download link grants: one file of one workspace until a certain time. */
export interface FileGrant {
  workspaceId: string;
  /** `att_…` for an attachment, `msg_…` for the raw source of a message. */
  fileId: string;
  expiresAt: Date;
}

/** The purpose of a token: a token for one of them opens no other. */
export type TokenPurpose = 'file links' | 'frames of mail';

const tokenPattern = /^([\w-]{8})\.([\w-]{1,200})\.([\w-]{43})$/;

/** Returns a link below `base` (such as `https://mail.example.com`) that opens the file without an API key until it expires. */
export function signFileUrl(base: string, keys: DerivedKeys, grant: FileGrant): string {
  return `${base.replace(/\/+$/, '')}/files/${signFileToken(keys, grant)}`;
}

/**
 * Returns the last part of a download link: the id of the key, the grant and an HMAC-SHA256 over both, URL-safe. Anyone who has the token
 * can read what it grants. Nobody can create another one.
 */
export function signFileToken(
  keys: DerivedKeys,
  grant: FileGrant,
  purpose: TokenPurpose = 'file links',
): string {
  const { workspaceId, fileId, expiresAt } = grant;
  if (!isId('wsp', workspaceId) || !isFileId(fileId)) throw new TypeError('A download link needs typed ids.');
  const text = [workspaceId, fileId, expiresAt.getTime().toString(36)].join(' ');
  const signed = `${keys.keyId}.${Buffer.from(text).toString('base64url')}`;
  return `${signed}.${sign(keys.key(purpose), signed)}`;
}

/**
 * Returns the grant of a token, or null if the token is malformed, changed, expired, for another purpose, or not signed by any of `keys`
 * (the current keys and those of an older root that are still valid).
 */
export function verifyFileToken(
  token: string,
  keys: readonly DerivedKeys[],
  now: Date,
  purpose: TokenPurpose = 'file links',
): FileGrant | null {
  const [, keyId, encoded, signature] = tokenPattern.exec(token) ?? [];
  const signer = keys.find((each) => each.keyId === keyId);
  if (signer === undefined || encoded === undefined || signature === undefined) return null;
  if (!verifySignature(signer.key(purpose), `${keyId}.${encoded}`, signature)) return null;
  const grant = parseGrant(Buffer.from(encoded, 'base64url').toString());
  return grant !== null && now < grant.expiresAt ? grant : null;
}

function parseGrant(text: string): FileGrant | null {
  const [workspaceId, fileId, expiry = ''] = text.split(' ');
  if (!isId('wsp', workspaceId) || !isFileId(fileId)) return null;
  return { workspaceId, fileId, expiresAt: new Date(Number.parseInt(expiry, 36)) };
}

function isFileId(value: unknown): value is string {
  return isId('att', value) || isId('msg', value);
}
