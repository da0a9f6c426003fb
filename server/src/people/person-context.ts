import type { AdminRight } from '@postrider/contract';
import type { Role } from '@postrider/contract/console';
import { type AuditAct, type AuditActor, appendAudit, operator } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';

/** The device that a person uses. */
export interface Device {
  userAgent: string | null;
  address: string | null;
}

/** A person who is signed in, and the session. */
export interface SignedIn {
  personId: string;
  sessionId: string;
  email: string;
}

/** The context of a function about a person's own account. */
export interface PersonContext extends Deps, SignedIn {
  device: Device;
  requestId: string | null;
}

/** The operator of the server, who changes the people of a workspace by the command line. */
export interface OperatorContext extends Pick<Deps, 'db' | 'clock' | 'wakeups' | 'address'> {
  workspaceId: string;
  personId: null;
  token?: never;
}

/** A member of a workspace who is signed in. */
export interface MemberContext extends PersonContext {
  workspaceId: string;
  role: Role;
  isTest: boolean;
  token?: never;
}

/** An admin token that acts for the person who made it, or for the operator. */
export interface ActingToken {
  id: string;
  rights: readonly AdminRight[];
}

/** The context of a function by which people manage a workspace: a member who is signed in, or an admin token. */
export interface ManagerContext extends Deps {
  workspaceId: string;
  isTest: boolean;
  /** The member, or the maker of the token; null for a token of the operator. */
  personId: string | null;
  device: Device;
  requestId: string | null;
  token?: ActingToken;
}

/** Returns the caller as an actor of the audit log. */
export function toAuditActor(
  ctx:
    | Pick<ManagerContext, 'personId' | 'device' | 'requestId' | 'token'>
    | Pick<OperatorContext, 'personId'>,
): AuditActor {
  if (!('device' in ctx)) return operator;
  const from = { address: ctx.device.address, requestId: ctx.requestId };
  if (ctx.token) return { kind: 'token', id: ctx.token.id, ...from };
  return { kind: 'person', id: ctx.personId, ...from };
}

/**
 * Checks that an admin token touches no owner: such as a member that is one, or an invitation as one. A person passes.
 *
 * @throws ApiError `owner_only`.
 */
export function requireNoOwner({ token }: Pick<ManagerContext, 'token'> | OperatorContext, role: Role): void {
  if (token && role === 'owner') throw new ApiError('owner_only', {}, { message: ownersInConsole });
}

const ownersInConsole = 'No admin token touches owners: ask an owner, who can do it in the console.';

/** An act of or on the account of a person. */
type PersonAct = Omit<AuditAct, 'target'>;

/** Records something about a person in each workspace that the person is in, last in the transaction of the change. */
export async function recordForPerson(
  tx: Pick<Deps, 'db' | 'clock'>,
  personId: string,
  actor: AuditActor,
  act: PersonAct,
): Promise<void> {
  const memberships = await acrossWorkspaces(tx, 'a person may be in several workspaces')
    .selectFrom('memberships')
    .select('workspace_id')
    .where('person_id', '=', personId)
    .execute();
  const workspaces = memberships.map(({ workspace_id }) => workspace_id);
  await appendAudit(tx, workspaces, actor, { ...act, target: personId });
}

/** Records a change that the caller made to the own account. */
export function recordOwnAct(
  tx: Pick<PersonContext, 'db' | 'clock' | 'personId' | 'device' | 'requestId'>,
  act: PersonAct,
): Promise<void> {
  return recordForPerson(tx, tx.personId, toAuditActor(tx), act);
}
