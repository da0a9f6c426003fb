import type { Config } from '../config/config.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { dkimSelectorOf, makeDkimKey, readDkimKey } from '../lib/crypto/dkim-key.ts';
import { isReadable } from '../lib/crypto/primitives.ts';
import type { DkimSigner } from '../mail/compose/sign-mail.ts';
import { parseRelay } from '../mail/transports/relay.ts';
import { openDomainKey, sealDomainKey } from './domain-key.ts';

type Opening = Pick<Deps, 'db' | 'keys' | 'clock' | 'log'> & {
  config: Pick<Config, 'mailDomain' | 'transport' | 'smtpRelays'>;
};

/**
 * Returns whether this server signs its mail. Mail of the sandbox does not leave the server. Amazon SES signs mail itself, and replaces
 * fields that our signature covers, even if it is only used as a relay.
 */
export function isSigning({ transport, smtpRelays }: Pick<Config, 'transport' | 'smtpRelays'>): boolean {
  if (transport !== 'smtp') return transport === 'direct';
  return !smtpRelays.every((url) => /\.amazonaws\.com(?:\.cn)?$/i.test(parseRelay(url).host));
}

/**
 * Returns the signer for the mail of the shared domain, or null if this server signs nothing (`isSigning`). The first start creates the
 * key, and so does a start with another root secret, which cannot read the existing key. Processes that start at the same time get the same
 * key.
 */
export async function openSharedSigner(deps: Opening): Promise<DkimSigner | null> {
  if (!isSigning(deps.config)) return null;
  const domain = deps.config.mailDomain;
  const known = await readSharedKey(deps, domain);
  return (known && open(deps, domain, known)) ?? replaceKey(deps, domain, known);
}

/** The public part of the key of a shared domain, or null if no start has made it yet. */
export async function findSharedKey(
  deps: Pick<Deps, 'db'>,
  domain: string,
): Promise<{ selector: string; publicKey: string } | null> {
  const known = await readSharedKey(deps, domain);
  return known && { selector: dkimSelectorOf(known.public_key), publicKey: known.public_key };
}

interface SharedKey {
  public_key: string;
  sealed_key: string;
}

function whole({ db }: Pick<Deps, 'db'>) {
  return acrossWorkspaces({ db }, 'the shared domain has inboxes of all workspaces');
}

async function readSharedKey(deps: Pick<Deps, 'db'>, domain: string): Promise<SharedKey | null> {
  const query = whole(deps).selectFrom('signing_keys').select(['public_key', 'sealed_key']);
  return (await query.where('domain', '=', domain).executeTakeFirst()) ?? null;
}

/** Returns null if the key was encrypted by another root secret. */
function open({ keys }: Opening, domain: string, { public_key, sealed_key }: SharedKey): DkimSigner | null {
  if (!isReadable(keys, sealed_key)) return null;
  const key = readDkimKey(openDomainKey(keys, domain, sealed_key));
  return { domain, selector: dkimSelectorOf(public_key), key };
}

/** Stores a new key in place of `known`, and returns the signer of the key that is stored then: this one or that of a faster process. */
async function replaceKey(deps: Opening, domain: string, known: SharedKey | null): Promise<DkimSigner> {
  const made = await makeDkimKey();
  const key = {
    public_key: made.publicKeyBase64,
    sealed_key: sealDomainKey(deps.keys, domain, made.privateKeyPem),
    created_at: deps.clock.now(),
  };
  await whole(deps)
    .insertInto('signing_keys')
    .values({ domain, ...key })
    .onConflict((row) =>
      known === null
        ? row.doNothing()
        : row.column('domain').doUpdateSet(key).where('signing_keys.sealed_key', '=', known.sealed_key),
    )
    .execute();
  const stored = await readSharedKey(deps, domain);
  const signer = stored && open(deps, domain, stored);
  // Another process with another secret: `openSecret` refuses one of the two at its next start.
  if (!signer) throw new Error(`The DKIM key of ${domain} was replaced while this process started.`);
  const { selector } = signer;
  deps.log.info(
    { domain, selector },
    'the shared domain has a new DKIM key, which doctor shows as a DNS record',
  );
  return signer;
}
