import type { Role } from '@postrider/contract/console';
import { type AuditAct, type AuditActor, appendAudit, operator } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

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
}

/** The context of a function about the people of a workspace. */
export interface MemberContext extends PersonContext {
  workspaceId: string;
  role: Role;
  isTest: boolean;
}

/** Returns the caller as an actor of the audit log. */
export function toAuditActor(
  ctx: Pick<MemberContext, 'personId' | 'device' | 'requestId'> | Pick<OperatorContext, 'personId'>,
): AuditActor {
  if (ctx.personId === null) return operator;
  return { kind: 'person', id: ctx.personId, address: ctx.device.address, requestId: ctx.requestId };
}

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

/** Records what the caller changed about the own account. */
export function recordOwnAct(
  tx: Pick<PersonContext, 'db' | 'clock' | 'personId' | 'device' | 'requestId'>,
  act: PersonAct,
): Promise<void> {
  return recordForPerson(tx, tx.personId, toAuditActor(tx), act);
}
