import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { readDkimKey } from '../lib/crypto/dkim-key.ts';
import { createRecentMap, perServer } from '../lib/memory.ts';
import type { DkimSigner } from '../mail/compose/sign-mail.ts';
import { isReadable, openDomainKey } from './domain-key.ts';

/** A domain that mail is sent from. */
export interface SigningDomain {
  id: string;
  hostname: string;
  dkim_selector: string;
}

type Signing = Pick<Context, 'db' | 'workspaceId' | 'isTest' | 'sharedSigner' | 'keys' | 'memory' | 'log'>;

const signersMax = 2_000;
const signersOf = perServer(() => createRecentMap<DkimSigner>(signersMax));

/**
 * Returns what signs the mail of an inbox, given its own domain if it has one. Returns null if the mail does not leave this server, and
 * for a domain whose key was made with another root secret, until its next check has made a new one.
 */
export async function signerOf(ctx: Signing, domain: SigningDomain | null): Promise<DkimSigner | null> {
  if (ctx.isTest || ctx.sharedSigner === null) return null;
  if (domain === null) return ctx.sharedSigner;
  // A selector belongs to one key, so a signer never becomes outdated.
  const key = `${domain.id} ${domain.dkim_selector}`;
  const known = signersOf(ctx).get(key);
  if (known) return known;
  const signer = await loadSigner(ctx, domain);
  if (signer) signersOf(ctx).set(key, signer);
  return signer;
}

async function loadSigner(ctx: Signing, { id, hostname }: SigningDomain): Promise<DkimSigner | null> {
  const row = await scoped(ctx)
    .selectFrom('domains')
    .select(['dkim_selector', 'dkim_private_key'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  if (!isReadable(ctx.keys, row.dkim_private_key)) {
    ctx.log.error({ hostname }, 'mail of a domain is not signed: another root secret has encrypted its key');
    return null;
  }
  const key = readDkimKey(openDomainKey(ctx.keys, id, row.dkim_private_key));
  return { domain: hostname, selector: row.dkim_selector, key };
}
