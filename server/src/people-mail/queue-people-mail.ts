import { randomBytes, randomUUID } from 'node:crypto';
import { consolePath } from '@postrider/contract/console';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import { decrypt, encrypt, sha256 } from '../lib/crypto/primitives.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import { settingNames } from '../lib/start/start-error.ts';

/** A mail to a person. The link for a new password is made when it is sent, and only if the person exists. */
export type PeopleMail =
  | { kind: 'invitation'; email: string; link: string; workspace: string; invitedBy: string }
  | { kind: 'reset'; email: string }
  | { kind: 'approvals'; email: string; workspace: string; messages: HeldMail[]; more: number };

/** A mail with one link. */
export type LinkMail = Extract<PeopleMail, { kind: 'invitation' | 'reset' }>;

/** A held message as a mail to people shows it, with the link to the whole. */
export interface HeldMail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  link: string;
}

/** A mail in the queue. Its content is encrypted, since a link of it is as good as a password. */
export interface QueuedMail {
  id: string;
  /** The time of the request. */
  at: string;
  sealed: string;
}

const purpose = 'mail to people';

/** Returns whether this server sends mail to other servers. */
export function sendsMail({ transport }: Pick<Deps, 'transport'>): boolean {
  return transport.name !== 'sandbox';
}

/**
 * Has a mail sent once the transaction of `tx` is committed, also after a crash. Returns false if no mail goes out from this server or none
 * can go to this address; the link of an invitation then has to be passed on by hand.
 */
export async function queueMail(
  tx: Pick<Deps, 'db' | 'wakeups' | 'clock' | 'keys' | 'queue' | 'transport'>,
  mail: PeopleMail,
): Promise<boolean> {
  if (!sendsMail(tx) || normalizeAddress(mail.email) === null) return false;
  const id = randomUUID();
  const sealed = encrypt(tx.keys, purpose, id, JSON.stringify(mail));
  const job: QueuedMail = { id, at: tx.clock.now().toISOString(), sealed };
  await tx.queue.enqueue(tx, jobNames.mailPeople, job);
  return true;
}

/** Returns the content of a mail from the queue. @throws Error if another root secret has encrypted it. */
export function openMail({ keys }: Pick<Deps, 'keys'>, { id, sealed }: QueuedMail): PeopleMail {
  return JSON.parse(decrypt(keys, purpose, id, sealed)) as PeopleMail;
}

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
