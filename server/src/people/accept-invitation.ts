import { NewPassword, type Role } from '@postrider/contract/console';
import { appendAudit } from '../audit/append-audit.ts';
import { isUniqueViolation } from '../db/database-errors.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { hashPassword } from '../lib/crypto/hash-password.ts';
import { sha256 } from '../lib/crypto/sha256.ts';
import { findPersonByEmail } from './find-person.ts';
import { insertPerson } from './insert-person.ts';
import { type NewSession, openSession } from './open-session.ts';
import { checkPassword, type SignInDevice } from './sign-in.ts';

/** What the page of an invitation shows. */
export interface ShownInvitation {
  email: string;
  workspace: string;
  role: Role;
  has_account: boolean;
}

/** Returns the invitation of a link. @throws ApiError `link_expired`. */
export async function showInvitation(deps: Deps, token: string): Promise<ShownInvitation> {
  const row = await findInvitation(deps, token);
  const { email, role, workspace } = row;
  return { email, role, workspace, has_account: (await findPersonByEmail(deps, email)) !== null };
}

/** The answer to an invitation. */
export interface Acceptance {
  token: string;
  name?: string | undefined;
  password: string;
  code?: string | undefined;
}

/**
 * Accepts an invitation as `acceptOnce` does. The account of a person who accepts two invitations at the same moment is made by one of them,
 * and the other finds it.
 */
export async function acceptInvitation(
  deps: Deps,
  acceptance: Acceptance,
  device: SignInDevice,
): Promise<NewSession> {
  try {
    return await acceptOnce(deps, acceptance, device);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return acceptOnce(deps, acceptance, device);
  }
}

/**
 * Accepts an invitation, once, and signs the person in. Whoever has an account proves it by the password; for others it is made here.
 *
 * @throws ApiError `link_expired`, `wrong_sign_in`, `second_factor_required`, `invalid_request`.
 */
async function acceptOnce(
  deps: Deps,
  { token, name, password, code }: Acceptance,
  device: SignInDevice,
): Promise<NewSession> {
  const { email } = await findInvitation(deps, token);
  const isKnown = (await findPersonByEmail(deps, email)) !== null;
  const person = isKnown ? await checkPassword(deps, { email, password, code }, device) : null;
  const passwordHash = person ? null : await hashPassword(requireNew(password));
  return inTransaction(deps, async (tx) => {
    const used = await acrossWorkspaces(tx, 'a link leads to its workspace')
      .deleteFrom('invitations')
      .where('token_hash', '=', sha256(token))
      .where('expires_at', '>', deps.clock.now())
      .returning(['workspace_id', 'id', 'role'])
      .executeTakeFirst();
    if (!used) throw new ApiError('link_expired');
    const made = { email, name: name ?? email.split('@')[0] ?? email, passwordHash };
    const personId = person?.id ?? (await insertPerson(tx, made));
    await tx.db
      .insertInto('memberships')
      .values({
        workspace_id: used.workspace_id,
        person_id: personId,
        role: used.role,
        created_at: deps.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const actor = { kind: 'person' as const, id: personId, address: device.address, requestId: null };
    const act = { action: 'member.joined', target: personId, after: { email, role: used.role } };
    await appendAudit(tx, used.workspace_id, actor, act);
    return openSession(tx, personId, device);
  });
}

function requireNew(password: string): string {
  const read = NewPassword.safeParse(password);
  if (!read.success) throw invalidField('password', read.error.issues[0]?.message ?? 'is not acceptable');
  return read.data;
}

async function findInvitation(
  deps: Deps,
  token: string,
): Promise<{ email: string; role: Role; workspace: string }> {
  const row = await acrossWorkspaces(deps, 'a link leads to its workspace')
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
    .select(['email', 'role', 'workspaces.name as workspace'])
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', deps.clock.now())
    .executeTakeFirst();
  if (!row) throw new ApiError('link_expired');
  return row;
}
