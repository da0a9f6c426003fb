import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { appendAudit, serverItself } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { hashPassword } from '../lib/crypto/hash-password.ts';
import { isRunByOwners, selectFirst } from './first-workspace.ts';
import { insertPerson } from './person.ts';

/** The address and password of the first owner. The password can be read only this once. */
export interface FirstSignIn {
  email: string;
  password: string;
}

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupCharacters = 5;

/**
 * Creates the first person of the console, an owner of every workspace, if nobody exists yet. Returns the sign-in data if the password was
 * generated here; null if it was configured, if somebody exists, or if no first-run secrets are to be printed.
 */
export async function createFirstOwner(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
): Promise<FirstSignIn | null> {
  const { consoleAdmin, bootstrap, mailDomain } = deps.config;
  if (!consoleAdmin && bootstrap) return null;
  if (await hasPeople(deps)) return null;
  const made = consoleAdmin ?? { email: `owner@${mailDomain}`, password: newPassword() };
  const passwordHash = await hashPassword(made.password);
  const isCreated = await inTransaction(deps, async (tx) => {
    await lock(tx, 'first owner');
    if (await hasPeople(tx)) return false;
    const personId = await insertPerson(tx, { email: made.email, name: 'Owner', passwordHash });
    await joinEmptyWorkspaces(tx, { personId, email: made.email });
    return true;
  });
  return isCreated && !consoleAdmin ? made : null;
}

/**
 * Makes the operator an owner of each workspace without members, such as one that was just created. The operator is the configured first
 * user, or else the owner of the first workspace who joined first. If workspaces are configured but no user is, they may belong to
 * different people, so nobody gets them.
 */
export async function adoptWorkspaces(deps: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const found = await findOperator(tx);
    if (found) await joinEmptyWorkspaces(tx, found);
  });
}

interface Joining {
  personId: string;
  email: string;
}

async function findOperator(deps: Pick<Deps, 'db' | 'config'>): Promise<Joining | null> {
  if (!isRunByOwners(deps)) return null;
  const { consoleAdmin } = deps.config;
  let owners = acrossWorkspaces(deps, 'the first workspace is that of the operator')
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['person_id as personId', 'people.email'])
    .where('role', '=', 'owner')
    .where('workspace_id', '=', selectFirst(deps))
    .orderBy('memberships.created_at')
    .orderBy('person_id');
  if (consoleAdmin) owners = owners.where('people.email', '=', consoleAdmin.email);
  return (await owners.limit(1).executeTakeFirst()) ?? null;
}

async function joinEmptyWorkspaces(
  tx: Pick<Deps, 'db' | 'clock'>,
  { personId, email }: Joining,
): Promise<void> {
  const now = tx.clock.now();
  const joined = await acrossWorkspaces(tx, 'every workspace that has nobody')
    .insertInto('memberships')
    .columns(['workspace_id', 'person_id', 'role', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('workspaces')
        .select(({ val }) => [
          'workspaces.id',
          val(personId).as('person_id'),
          val('owner' as const).as('role'),
          sql<Date>`${now}::timestamptz`.as('created_at'),
        ])
        .where('deleted_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('memberships')
                .select('person_id')
                .whereRef('memberships.workspace_id', '=', 'workspaces.id'),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('workspace_id')
    .execute();
  const act = { action: 'member.joined', target: personId, after: { email, role: 'owner' } };
  const workspaces = joined.map(({ workspace_id }) => workspace_id);
  await appendAudit(tx, workspaces, serverItself, act);
}

async function hasPeople(deps: Pick<Deps, 'db'>): Promise<boolean> {
  const row = await acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('people')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a password of 99 random bits in letters and digits that are easy to tell apart. */
function newPassword(): string {
  const character = () => alphabet[randomInt(alphabet.length)];
  const group = () => Array.from({ length: groupCharacters }, character).join('');
  return Array.from({ length: groups }, group).join('-');
}
