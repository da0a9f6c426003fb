import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { domainKeySlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { unavailable } from '../lib/api-error.ts';
import { dkimSelectorOf, makeDkimKey, readDkimKey } from '../lib/crypto/dkim-key.ts';
import { type DerivedKeys, decrypt, encrypt, isReadable } from '../lib/crypto/primitives.ts';
import { createRecentMap, perServer } from '../lib/memory.ts';
import type { DkimSigner } from '../mail/compose/sign-mail.ts';

const purpose = 'dkim keys';

/** The columns of a domain's key. The private part is encrypted, so that the row of no other domain can use it. */
interface DomainKeyColumns {
  dkim_selector: string;
  dkim_private_key: string;
  dkim_public_key: string;
}

const keySlots = perServer(() => new Slots(domainKeySlots, { refusal: () => unavailable() }));

/**
 * Returns a new key of a domain in the form in which it is stored. Each key has its own selector, because receivers cache records.
 *
 * @throws ApiError `unavailable` if other callers create so many keys that its turn does not come.
 */
export async function makeDomainKey(
  deps: Pick<Deps, 'keys' | 'memory'>,
  owner: { workspaceId: string; domainId: string },
): Promise<DomainKeyColumns> {
  const { privateKeyPem, publicKeyBase64 } = await keySlots(deps).run(owner.workspaceId, makeDkimKey);
  return {
    dkim_selector: dkimSelectorOf(publicKeyBase64),
    dkim_private_key: sealDomainKey(deps.keys, owner.domainId, privateKeyPem),
    dkim_public_key: publicKeyBase64,
  };
}

/** Returns a private key as it is stored. The owner is the id of a domain, or the name of a shared domain; no other can use it. */
export function sealDomainKey(keys: DerivedKeys, owner: string, pem: string): string {
  return encrypt(keys, purpose, owner, pem);
}

/** Returns the private key in PEM. Throws an Error if the root secret of the server has changed. */
export function openDomainKey(keys: DerivedKeys, owner: string, sealed: string): string {
  return decrypt(keys, purpose, owner, sealed);
}

/** A domain that mail is sent from. */
interface SigningDomain {
  id: string;
  hostname: string;
  dkim_selector: string;
}

type Signing = Pick<Context, 'db' | 'workspaceId' | 'isTest' | 'sharedSigner' | 'keys' | 'memory' | 'log'>;

const signersMax = 2_000;
const knownSigners = perServer(() => createRecentMap<DkimSigner>(signersMax));

/**
 * Returns the signer for the mail of an inbox, given its own domain if it has one. Returns null if the mail does not leave this server, and
 * for a domain whose key was created with another root secret, until its next check has created a new one.
 */
export async function chooseSigner(ctx: Signing, domain: SigningDomain | null): Promise<DkimSigner | null> {
  if (ctx.isTest || ctx.sharedSigner === null) return null;
  if (domain === null) return ctx.sharedSigner;
  // A selector belongs to one key, so a signer never becomes outdated.
  const key = `${domain.id} ${domain.dkim_selector}`;
  const known = knownSigners(ctx).get(key);
  if (known) return known;
  const signer = await loadSigner(ctx, domain);
  if (signer) knownSigners(ctx).set(key, signer);
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
