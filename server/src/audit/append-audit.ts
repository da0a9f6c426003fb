import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';

/** Who did something, and where from. */
export interface AuditActor {
  kind: 'person' | 'operator' | 'server';
  id: string | null;
  address: string | null;
  requestId: string | null;
}

/** Something that was done. `before` and `after` hold what is useful to see, and never a secret. */
export interface AuditAct {
  action: string;
  target: string | null;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

/** The operator of the server, who uses the command line. */
export const operator: AuditActor = { kind: 'operator', id: null, address: null, requestId: null };

/** Records what was done in a workspace, in the transaction of the change itself. */
export async function appendAudit(
  tx: { db: Db; clock: Clock },
  workspaceId: string,
  actor: AuditActor,
  { action, target, before = null, after = null }: AuditAct,
): Promise<void> {
  const at = tx.clock.now();
  await tx.db
    .insertInto('audit_entries')
    .values({
      workspace_id: workspaceId,
      id: newId('aud', at),
      at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      action,
      target,
      before,
      after,
      address: actor.address,
      request_id: actor.requestId,
    })
    .execute();
}
