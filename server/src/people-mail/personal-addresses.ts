/*
 * Addresses of people and of inboxes. Links in mails to people are as good as a password, and keys read the mail of inboxes. So no such
 * mail is sent to an inbox, and no inbox gets the address of a person.
 */

import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { normalizeAddress, spellingsOf } from '../lib/email-address.ts';

/** Returns whether an inbox of this server, in any workspace, receives the mail for an address. */
export async function isReadHere(deps: Pick<Deps, 'db'>, email: string): Promise<boolean> {
  const inbox = await acrossWorkspaces(deps, 'addresses are global')
    .selectFrom('addresses')
    .select('address')
    .where('address', 'in', spellingsIn(email))
    .where('held_until', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return inbox !== undefined;
}

/**
 * Returns whether an inbox with this address would receive the mail for a person. On a domain of a workspace, only its own people count: an
 * account can have any address, and would otherwise keep others from addresses on their domains.
 */
export async function isPersonal(
  deps: Pick<Deps, 'db'>,
  { address, ownerOfDomain }: { address: string; ownerOfDomain: string | null },
): Promise<boolean> {
  const local = address.slice(0, address.lastIndexOf('@'));
  let people = acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('people')
    .select('email')
    // In byte order, + and @ and all between them come before letters. So few people are read, among them all with this local part.
    .where('email', '>=', `${local}+`)
    .where('email', '<', `${local}A`);
  if (ownerOfDomain !== null)
    people = people.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memberships')
          .select('person_id')
          .whereRef('memberships.person_id', '=', 'people.id')
          .where('memberships.workspace_id', '=', ownerOfDomain),
      ),
    );
  return (await people.execute()).some(({ email }) => spellingsIn(email).includes(address));
}

function spellingsIn(email: string): string[] {
  return [...spellingsOf(normalizeAddress(email) ?? email)];
}
