import type { Db } from '../db/database.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Clock } from '../lib/clock.ts';
import { hashBeforeFirst, hashEntry, type UnhashedEntry } from '../lib/crypto/hash-entry.ts';
import { newId } from '../lib/ids.ts';

/** Who did something, and where from. */
export interface AuditActor {
  kind: 'person' | 'key' | 'operator' | 'server';
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

/** The server itself. */
export const serverItself: AuditActor = { ...operator, kind: 'server' };

/**
 * Records what was done in a workspace, in the transaction of the change itself, so that there is neither a change without an entry nor an
 * entry without a change. The entry continues the chain of hashes of the workspace. From here to the end of the transaction, other changes
 * of the workspace wait, so call it last. A transaction that records something in several workspaces takes them in the order of their ids.
 *
 * @throws Error outside a transaction.
 */
export async function appendAudit(
  tx: { db: Db; clock: Clock },
  workspaceId: string,
  actor: AuditActor,
  { action, target, before = null, after = null }: AuditAct,
): Promise<void> {
  if (!tx.db.isTransaction) throw new Error('An act is recorded in the transaction of its change.');
  const head = await lockHead(tx, workspaceId);
  const name = await nameOf(tx, actor);
  // Under the lock, so that times and ids of a workspace have the order of its entries.
  const at = tx.clock.now();
  const entry: UnhashedEntry = {
    workspace_id: workspaceId,
    seq: Math.max(head.seq, head.newest) + 1,
    id: newId('aud', at),
    at: at.toISOString(),
    actor: { kind: actor.kind, id: actor.id, name },
    action,
    target,
    before: asStored(before),
    after: asStored(after),
    address: actor.address,
    request_id: actor.requestId,
    previous_hash: head.hash,
  };
  const hash = hashEntry(entry);
  const { actor: _actor, ...columns } = entry;
  await tx.db
    .insertInto('audit_entries')
    .values({ ...columns, at, actor_kind: actor.kind, actor_id: actor.id, actor_name: name, hash })
    .execute();
  await scoped({ ...tx, workspaceId })
    .updateTable('audit_heads')
    .set({ seq: entry.seq, hash })
    .execute();
}

/**
 * Returns the newest entry of the log, which stays the newest until the transaction ends. `newest` differs from it only if rows were changed from
 * outside. That breaks the chain, and does not stop the changes of the workspace.
 */
function lockHead(
  tx: { db: Db },
  workspaceId: string,
): Promise<{ seq: number; hash: string; newest: number }> {
  const first = { seq: 0, hash: hashBeforeFirst, removed_seq: 0, removed_hash: hashBeforeFirst };
  return tx.db
    .insertInto('audit_heads')
    .values({ workspace_id: workspaceId, ...first })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet(({ ref }) => ({ seq: ref('audit_heads.seq') })),
    )
    .returning(({ selectFrom }) => [
      'seq',
      'hash',
      selectFrom('audit_entries')
        .select(({ fn, val }) => fn.coalesce(fn.max('audit_entries.seq'), val(0)).as('newest'))
        .where('audit_entries.workspace_id', '=', workspaceId)
        .$asScalar()
        .$notNull()
        .as('newest'),
    ])
    .executeTakeFirstOrThrow();
}

/** Returns what an actor is called now: the address of a person, or the name of a key. */
async function nameOf(tx: { db: Db }, { kind, id }: AuditActor): Promise<string | null> {
  if (id === null || (kind !== 'person' && kind !== 'key')) return null;
  const db = acrossWorkspaces(tx, 'people are not of one workspace');
  const named =
    kind === 'person'
      ? db.selectFrom('people').select('email as name').where('id', '=', id)
      : db.selectFrom('api_keys').select('name').where('id', '=', id);
  return (await named.executeTakeFirst())?.name ?? null;
}

/** Returns the fields as they are read back, for example without those that are undefined. */
function asStored(fields: Record<string, unknown> | null): Record<string, unknown> | null {
  return fields === null ? null : JSON.parse(JSON.stringify(fields));
}
