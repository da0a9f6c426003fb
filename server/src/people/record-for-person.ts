import { type AuditAct, type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { PersonContext } from './person-context.ts';

/** What was done about the account of a person. */
export type PersonAct = Omit<AuditAct, 'target'>;

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
  const { personId, device, requestId } = tx;
  const actor = { kind: 'person' as const, id: personId, address: device.address, requestId };
  return recordForPerson(tx, personId, actor, act);
}
