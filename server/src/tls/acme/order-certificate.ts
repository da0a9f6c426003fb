import { sql } from 'kysely';
import type { AcmeSettings } from '../../config/tls.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { decrypt, encrypt, isReadable } from '../../lib/crypto/primitives.ts';
import type { TlsCertificate } from '../tls-certificate.ts';
import type { ChallengeType } from './acme.entity.ts';
import { loadAcmeLibrary } from './acme-library.ts';
import { addChallenge, removeChallenge } from './challenges.ts';

type OrderDeps = Pick<Deps, 'db' | 'keys' | 'clock' | 'timeScale' | 'httpsAgent'>;
type Client = import('acme-client').Client;
type Authorization = import('acme-client').Authorization;

/** How often it is asked whether the ACME server is done: after a second, then after twice as long each time, for three minutes in all. */
const polling = { attempts: 11, firstMs: 1_000, mostMs: 30_000 };

/**
 * Orders a certificate for a host and answers the challenges of one type. Returns the chain with a new private key (P-256).
 *
 * @throws ComeAgainLater, or an Error that says what the ACME server refused or why it cannot be reached.
 */
export async function orderCertificate(
  deps: OrderDeps,
  { directory, email }: AcmeSettings,
  hostname: string,
  type: ChallengeType,
): Promise<TlsCertificate> {
  const { Client, crypto } = await loadAcmeLibrary(deps.httpsAgent);
  const makeKey = async () => String(await crypto.createPrivateEcdsaKey('P-256'));
  const client = new Client({
    directoryUrl: directory,
    accountKey: await findAccountKey(deps, directory, makeKey),
    backoffAttempts: polling.attempts,
    backoffMin: deps.timeScale.scaleMs(polling.firstMs),
    backoffMax: deps.timeScale.scaleMs(polling.mostMs),
  });
  // An account is found again by its key, and one that the ACME server has lost is made anew.
  await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${email}`] });
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: hostname }] });
  for (const authorization of await client.getAuthorizations(order))
    if (authorization.status !== 'valid') await prove(deps, client, authorization, type);
  const [key, request] = await crypto.createCsr({ altNames: [hostname] }, await makeKey());
  const cert = await client.getCertificate(await client.finalizeOrder(order, request));
  return { cert, key: String(key) };
}

/** Proves that a host is this server. */
async function prove(
  deps: OrderDeps,
  client: Client,
  authorization: Authorization,
  type: ChallengeType,
): Promise<void> {
  const hostname = authorization.identifier.value;
  const offered = authorization.challenges.find((challenge) => challenge.type === type);
  if (!offered) throw new Error(`The ACME server has no challenge ${type} for ${hostname}.`);
  const keyAuthorization = await client.getChallengeKeyAuthorization(offered);
  const challenge = { token: offered.token, hostname, keyAuthorization };
  await addChallenge(deps, challenge);
  try {
    await client.completeChallenge(offered);
    await client.waitForValidStatus(offered);
  } finally {
    await removeChallenge(deps, challenge);
  }
}

const accountPurpose = 'acme accounts';

/**
 * Returns the private key of this server's account at an ACME server, in PEM. The first order makes it, and so does one with another root
 * secret, which cannot read the key that there is.
 */
async function findAccountKey(
  deps: OrderDeps,
  directory: string,
  make: () => Promise<string>,
): Promise<string> {
  const known = await readKey(deps, directory);
  if (known !== null) return known;
  const made = await make();
  const key = {
    sealed_key: encrypt(deps.keys, accountPurpose, directory, made),
    created_at: deps.clock.now(),
  };
  await acrossWorkspaces(deps, 'certificates are of the whole server')
    .insertInto('acme_accounts')
    .values({ directory, ...key })
    .onConflict((row) =>
      row
        .column('directory')
        .doUpdateSet(key)
        .where(sql<boolean>`not starts_with(acme_accounts.sealed_key, ${`${deps.keys.keyId}.`})`),
    )
    .execute();
  // Another order may have made one at the same time, and stored it first.
  return (await readKey(deps, directory)) ?? made;
}

async function readKey(deps: OrderDeps, directory: string): Promise<string | null> {
  const row = await acrossWorkspaces(deps, 'certificates are of the whole server')
    .selectFrom('acme_accounts')
    .select('sealed_key')
    .where('directory', '=', directory)
    .executeTakeFirst();
  if (!row || !isReadable(deps.keys, row.sealed_key)) return null;
  return decrypt(deps.keys, accountPurpose, directory, row.sealed_key);
}
