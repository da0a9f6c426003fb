import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';

/** Longer than an ACME server takes to check, and than an order can take. */
const keptMs = 60 * 60_000;

/** The characters of a token (RFC 8555, section 8.3), and more than any has. */
const tokenPattern = /^[\w-]{1,200}$/;

type ChallengeDeps = Pick<Deps, 'db' | 'clock'>;

function whole(deps: ChallengeDeps) {
  return acrossWorkspaces(deps, 'certificates are of the whole server');
}

/** A challenge of an ACME server. */
export interface Challenge {
  token: string;
  hostname: string;
  keyAuthorization: string;
}

/** Lets all processes answer a challenge. Those of orders that were given up are forgotten. */
export async function addChallenge(deps: ChallengeDeps, challenge: Challenge): Promise<void> {
  const now = deps.clock.now();
  await whole(deps).deleteFrom('acme_challenges').where('expires_at', '<=', now).execute();
  const row = {
    token: challenge.token,
    hostname: challenge.hostname,
    key_authorization: challenge.keyAuthorization,
    expires_at: new Date(now.getTime() + keptMs),
  };
  await whole(deps)
    .insertInto('acme_challenges')
    .values(row)
    .onConflict((conflict) => conflict.column('token').doUpdateSet(row))
    .execute();
}

/** Removes a completed challenge. */
export async function removeChallenge(deps: ChallengeDeps, { token }: Challenge): Promise<void> {
  await whole(deps).deleteFrom('acme_challenges').where('token', '=', token).execute();
}

/** Returns what an ACME server expects a host to prove over TLS; null if there is no challenge for it. */
export async function findHostChallenge(deps: ChallengeDeps, hostname: string): Promise<string | null> {
  const row = await whole(deps)
    .selectFrom('acme_challenges')
    .select('key_authorization')
    .where('hostname', '=', hostname)
    .where('expires_at', '>', deps.clock.now())
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.key_authorization ?? null;
}

/** Returns what an ACME server expects to read for a token; null if there is no such challenge. */
export async function findKeyAuthorization(deps: ChallengeDeps, token: string): Promise<string | null> {
  if (!tokenPattern.test(token)) return null;
  const row = await whole(deps)
    .selectFrom('acme_challenges')
    .select('key_authorization')
    .where('token', '=', token)
    .where('expires_at', '>', deps.clock.now())
    .executeTakeFirst();
  return row?.key_authorization ?? null;
}
