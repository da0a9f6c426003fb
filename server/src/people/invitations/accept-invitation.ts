import { consoleLimits, NewPassword, type Role } from '@postrider/contract/console';
import { appendAudit } from '../../audit/append-audit.ts';
import { inTransaction } from '../../db/connections.ts';
import { isUniqueViolation } from '../../db/database-errors.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { ApiError, invalidField } from '../../lib/api-error.ts';
import { hashPassword } from '../../lib/crypto/hash-password.ts';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { clientOf } from '../../lib/ip-address.ts';
import { findPersonByEmail, insertPerson } from '../person.ts';
import { type NewSession, openSession } from '../sessions/sessions.ts';
import { checkPassword, requireUnchanged, type SignInDevice } from '../sessions/sign-in.ts';
import { countLinkUse } from '../sessions/sign-in-gate.ts';
import { lockWorkspace } from '../workspace-title.ts';

/** The invitation as its page shows it. */
interface ShownInvitation {
  email: string;
  workspace_id: string;
  /** Its title. */
  workspace: string;
  role: Role;
  has_account: boolean;
}

/** Returns the invitation of a link. @throws ApiError `link_expired`. */
export async function showInvitation(deps: Deps, token: string): Promise<ShownInvitation> {
  const row = await findInvitation(deps, token);
  const { email, role, workspaceId, workspace } = row;
  return {
    email,
    role,
    workspace_id: workspaceId,
    workspace,
    has_account: (await findPersonByEmail(deps, email)) !== null,
  };
}

/** The data with which a person accepts an invitation. */
interface Acceptance {
  token: string;
  name?: string | undefined;
  password: string;
  code?: string | undefined;
}

/**
 * Accepts an invitation as `acceptOnce` does. The account of a person who accepts two invitations at the same moment is made by one of
 * them, and the other finds it.
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
 * Accepts an invitation, once, and signs the person in. A person with an account proves it with the password; for others, an account is
 * created here.
 *
 * @throws ApiError `link_expired`, `wrong_sign_in`, `second_factor_required`, `invalid_request`, `rate_limited`, `limit_reached`.
 */
async function acceptOnce(
  deps: Deps,
  { token, name, password, code }: Acceptance,
  device: SignInDevice,
): Promise<NewSession> {
  const { email, workspaceId } = await findInvitation(deps, token);
  const isKnown = (await findPersonByEmail(deps, email)) !== null;
  const person = isKnown ? await checkPassword(deps, { email, password, code }, device) : null;
  const takeBack = person ? () => {} : countLinkUse(deps, device.address);
  const client = clientOf(device.address ?? '');
  const passwordHash = person ? null : await hashPassword(requireNew(password), client);
  const session = await inTransaction(deps, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (person) await requireUnchanged(tx, person);
    const used = await useInvitation(tx, token);
    const made = { email, name: name ?? email.split('@')[0] ?? email, passwordHash };
    const personId = person?.id ?? (await insertPerson(tx, made));
    const isNew = await join(tx, used, personId);
    const opened = await openSession(tx, personId, device, 'invitation');
    // The session is recorded in all workspaces of the person, in the order that others keep, too.
    if (isNew) await recordJoin(tx, used, { personId, email, address: device.address });
    return opened;
  });
  takeBack();
  return session;
}

interface UsedInvitation {
  workspace_id: string;
  role: Role;
}

async function useInvitation(tx: Deps, token: string): Promise<UsedInvitation> {
  const used = await acrossWorkspaces(tx, 'a link leads to its workspace')
    .deleteFrom('invitations')
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', tx.clock.now())
    .returning(['workspace_id', 'role'])
    .executeTakeFirst();
  if (!used) throw new ApiError('link_expired');
  return used;
}

/** Makes the person a member of the workspace, which is locked. An existing member keeps the role. Returns whether the person joined. */
async function join(tx: Deps, { workspace_id, role }: UsedInvitation, personId: string): Promise<boolean> {
  const db = acrossWorkspaces(tx, 'a link leads to its workspace');
  const joined = await db
    .insertInto('memberships')
    .values({ workspace_id, person_id: personId, role, created_at: tx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('person_id')
    .executeTakeFirst();
  if (!joined) return false;
  const members = db.selectFrom('memberships').select('person_id').where('workspace_id', '=', workspace_id);
  const limit = consoleLimits.membersPerWorkspaceMax;
  if ((await members.execute()).length > limit) throw new ApiError('limit_reached', { limit });
  return true;
}

async function recordJoin(
  tx: Deps,
  { workspace_id, role }: UsedInvitation,
  { personId, email, address }: { personId: string; email: string; address: string | null },
): Promise<void> {
  const actor = { kind: 'person' as const, id: personId, address, requestId: null };
  const act = { action: 'member.joined', target: personId, after: { email, role } };
  await appendAudit(tx, workspace_id, actor, act);
}

function requireNew(password: string): string {
  const read = NewPassword.safeParse(password);
  if (!read.success) throw invalidField('password', read.error.issues[0]?.message ?? 'is not acceptable');
  return read.data;
}

async function findInvitation(
  deps: Deps,
  token: string,
): Promise<{ email: string; role: Role; workspaceId: string; workspace: string }> {
  const row = await acrossWorkspaces(deps, 'a link leads to its workspace')
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
    .select(['email', 'role', 'workspace_id as workspaceId', 'workspaces.title as workspace'])
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', deps.clock.now())
    .executeTakeFirst();
  if (!row) throw new ApiError('link_expired');
  return row;
}
