import { sql } from 'kysely';
import type { AcmeSettings } from '../../config/tls.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { decrypt, encrypt, isReadable } from '../../lib/crypto/primitives.ts';
import type { TlsCertificate } from '../tls-certificate.ts';
import type { ChallengeType } from './acme.entity.ts';
import { ComeAgainLater, describeProblem, loadAcmeLibrary } from './acme-library.ts';
import { addChallenge, removeChallenge } from './challenges.ts';

type OrderDeps = Pick<Deps, 'db' | 'keys' | 'clock' | 'timeScale' | 'httpsAgent' | 'stopping'>;
type Client = import('acme-client').Client;
type Order = import('acme-client').Order;
type Authorization = import('acme-client').Authorization;

/**
 * The times at which to ask whether the ACME server is done: after a second, then after twice as long each time, for three minutes in
 * total. A busy or unreachable server is not asked repeatedly, and one that wants more time than `mostMs` is left alone for that time.
 */
const polling = { asksMax: 10, failuresMax: 3, firstMs: 1_000, mostMs: 30_000 };

/** Orders and authorizations have some of them until they are valid or refused (RFC 8555, section 7.1.6). */
const undone = new Set(['pending', 'ready', 'processing']);

/**
 * Orders a certificate for a host and completes the challenges of one type. Returns the chain with a new private key (P-256).
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
    // The library's own retries would come too soon for a busy server.
    backoffAttempts: 1,
  });
  // An account is found again by its key. If the ACME server has lost it, it is created again.
  await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${email}`] });
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: hostname }] });
  for (const authorization of await client.getAuthorizations(order))
    if (authorization.status !== 'valid') await prove(deps, client, { order, authorization }, type);
  const [key, request] = await crypto.createCsr({ altNames: [hostname] }, await makeKey());
  const finalized = await client.finalizeOrder(order, request);
  const issued = await untilDone(deps, finalized, () => client.getOrder(order));
  if (issued.status !== 'valid') throw refused(hostname, issued.error);
  return { cert: await client.getCertificate(issued), key: String(key) };
}

/** Proves that a host is this server. */
async function prove(
  deps: OrderDeps,
  client: Client,
  { order, authorization }: { order: Order; authorization: Authorization },
  type: ChallengeType,
): Promise<void> {
  const hostname = authorization.identifier.value;
  const findChallenge = ({ challenges }: Authorization) => challenges.find((one) => one.type === type);
  const ask = async () => {
    const [found] = await client.getAuthorizations({ ...order, authorizations: [authorization.url] });
    return found ?? authorization;
  };
  const offered = findChallenge(authorization);
  if (!offered) throw new Error(`The ACME server has no challenge ${type} for ${hostname}.`);
  const keyAuthorization = await client.getChallengeKeyAuthorization(offered);
  const challenge = { token: offered.token, hostname, keyAuthorization };
  await addChallenge(deps, challenge);
  try {
    await client.completeChallenge(offered);
    const proved = await untilDone(deps, authorization, ask);
    if (proved.status !== 'valid') throw refused(hostname, findChallenge(proved)?.error);
  } finally {
    await removeChallenge(deps, challenge);
  }
}

/**
 * Returns an order or an authorization once the ACME server is done with it, which `found` is at first. `ask` asks for it again.
 *
 * @throws ComeAgainLater, or an Error if the ACME server cannot be reached or is not done in time, or if this server is stopping.
 */
async function untilDone<Found extends { status: string }>(
  deps: Pick<Deps, 'timeScale' | 'stopping'>,
  found: Found,
  ask: () => Promise<Found>,
): Promise<Found> {
  let current = found;
  let [failures, askedMs] = [0, 0];
  for (let asks = 0; undone.has(current.status); asks++) {
    if (asks === polling.asksMax) throw new Error('The ACME server was not done in time.');
    const ms = Math.max(askedMs, Math.min(polling.firstMs * 2 ** asks, polling.mostMs));
    if ((await wait(deps.timeScale.scaleMs(ms), deps.stopping)) === 'aborted')
      throw new Error('This server is stopping.');
    try {
      current = await ask();
      askedMs = 0;
    } catch (error) {
      failures += 1;
      askedMs = error instanceof ComeAgainLater ? error.waitMs : 0;
      if (failures === polling.failuresMax || askedMs > polling.mostMs) throw error;
    }
  }
  return current;
}

/** Returns the error for an order or a challenge that the ACME server refused, with the problem that it names. */
function refused(hostname: string, problem: object | undefined): Error {
  return new Error(`The ACME server refused ${hostname}: ${describeProblem(problem)}`);
}

const accountPurpose = 'acme accounts';

/**
 * Returns the private key of this server's account at an ACME server, in PEM. The first order creates it, and so does an order with another
 * root secret, which cannot read the existing key.
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
