import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { hashBeforeFirst, hashEntry, type UnhashedEntry } from '../lib/crypto/hash-entry.ts';
import { newId } from '../lib/ids.ts';

/** The person, key, admin token or program that did something, and the address that it came from. */
export interface AuditActor {
  kind: 'person' | 'key' | 'token' | 'operator' | 'server';
  id: string | null;
  address: string | null;
  requestId: string | null;
}

/** An act. `before` and `after` contain useful values, and never a secret. */
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

/** Entries that one statement stores, below the 65,535 parameters of a statement. */
const batchRows = 1_000;

type AuditTransaction = { db: Db; clock: Clock };

/**
 * Records what was done in a workspace, or in several, in the transaction of the change itself, so that there is neither a change without
 * an entry nor an entry without a change. The entry continues the chain of hashes of its workspace. From here to the end of the
 * transaction, other changes of the workspace wait, so call it last.
 *
 * @throws Error outside a transaction.
 */
export async function appendAudit(
  tx: AuditTransaction,
  workspaces: string | string[],
  actor: AuditActor,
  act: AuditAct,
): Promise<void> {
  if (!tx.db.isTransaction) throw new Error('An act is recorded in the transaction of its change.');
  // In one order; otherwise two transactions could wait for each other.
  const ids = [workspaces].flat().sort();
  for (let start = 0; start < ids.length; start += batchRows)
    await appendTo(tx, ids.slice(start, start + batchRows), actor, act);
}

async function appendTo(
  tx: AuditTransaction,
  workspaceIds: string[],
  actor: AuditActor,
  act: AuditAct,
): Promise<void> {
  const beginning = await beginLogs(tx, workspaceIds);
  const heads = await lockHeads(tx, workspaceIds);
  const name = await findName(tx, actor);
  // Under the locks, so that times and ids of a workspace have the order of its entries.
  const at = tx.clock.now();
  const rows = heads.map((head) => {
    const isFirst = beginning.has(head.workspace_id);
    const entry = nextEntry(isFirst ? { ...head, began: false } : head, at, { ...actor, name }, act);
    const { actor: _actor, ...columns } = entry;
    const named = { actor_kind: actor.kind, actor_id: actor.id, actor_name: name };
    return { ...columns, ...named, at, hash: hashEntry(entry) };
  });
  await tx.db.insertInto('audit_entries').values(rows).execute();
  await tx.db
    .insertInto('audit_heads')
    .values(rows.map(({ workspace_id, seq, hash }) => ({ ...noEntry, workspace_id, seq, hash })))
    .onConflict((conflict) =>
      conflict
        .column('workspace_id')
        .doUpdateSet(({ ref }) => ({ seq: ref('excluded.seq'), hash: ref('excluded.hash') })),
    )
    .execute();
}

interface Head {
  workspace_id: string;
  seq: number;
  hash: string;
  newest: number;
  /** Whether the log had an entry before. */
  began: boolean;
}

/** The ends of a log that never had an entry. */
const noEntry = { seq: 0, hash: hashBeforeFirst, removed_seq: 0, removed_hash: hashBeforeFirst };

/**
 * Has workspaces remember that they have a log, and returns those whose log begins now. It comes before the locks of the logs, because
 * changes of a workspace lock its row first, too.
 */
async function beginLogs(tx: AuditTransaction, workspaceIds: string[]): Promise<Set<string>> {
  const workspaces = acrossWorkspaces(tx, 'a workspace is no row of itself');
  const began = await workspaces
    .updateTable('workspaces')
    .set({ audit_began: true })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('workspaces')
        .select('id')
        .where('id', 'in', workspaceIds)
        .where('audit_began', '=', false)
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .returning('id')
    .execute();
  return new Set(began.map(({ id }) => id));
}

/**
 * Returns the newest entry of each log, which stays the newest until the transaction ends. `newest` differs from it only if rows were
 * changed from outside. That breaks the chain, and does not stop the changes of the workspace.
 */
function lockHeads(tx: AuditTransaction, workspaceIds: string[]): Promise<Head[]> {
  return tx.db
    .insertInto('audit_heads')
    .values(workspaceIds.map((workspace_id) => ({ workspace_id, ...noEntry })))
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet(({ ref }) => ({ seq: ref('audit_heads.seq') })),
    )
    .returning(({ selectFrom }) => [
      'workspace_id',
      'seq',
      'hash',
      selectFrom('audit_entries as e')
        .select(({ fn, val }) => fn.coalesce(fn.max('e.seq'), val(0)).as('newest'))
        .whereRef('e.workspace_id', '=', 'audit_heads.workspace_id')
        .$asScalar()
        .$notNull()
        .as('newest'),
      selectFrom('workspaces as w')
        .select(({ fn, val }) =>
          fn.coalesce(fn<boolean>('bool_or', ['w.audit_began']), val(false)).as('began'),
        )
        .whereRef('w.id', '=', 'audit_heads.workspace_id')
        .$asScalar()
        .$notNull()
        .as('began'),
    ])
    .execute();
}

function nextEntry(
  head: Head,
  at: Date,
  actor: AuditActor & { name: string | null },
  { action, target, before = null, after = null }: AuditAct,
): UnhashedEntry {
  return {
    workspace_id: head.workspace_id,
    // A log that was emptied begins at 2, so that the first entry is missing for good.
    seq: Math.max(head.seq, head.newest, head.began ? 1 : 0) + 1,
    id: newId('aud', at),
    at: at.toISOString(),
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
    action,
    target,
    before: asStored(before),
    after: asStored(after),
    address: actor.address,
    request_id: actor.requestId,
    previous_hash: head.hash,
  };
}

/** Returns what an actor is called now: the address of a person, or the name of a key or a token. */
async function findName(tx: { db: Db }, { kind, id }: AuditActor): Promise<string | null> {
  if (id === null || kind === 'operator' || kind === 'server') return null;
  const db = acrossWorkspaces(tx, 'people are not of one workspace');
  const named = {
    person: () => db.selectFrom('people').select('email as name').where('id', '=', id),
    key: () => db.selectFrom('api_keys').select('name').where('id', '=', id),
    token: () => db.selectFrom('admin_tokens').select('name').where('id', '=', id),
  }[kind]();
  return (await named.executeTakeFirst())?.name ?? null;
}

/** Returns the fields in the form in which they are read back, for example without undefined ones. */
function asStored(fields: Record<string, unknown> | null): Record<string, unknown> | null {
  return fields === null ? null : JSON.parse(JSON.stringify(fields));
}

/** Records an act of the caller of the API (a person, a key or a token), last in the transaction of the change. */
export function recordAct(tx: Context, act: AuditAct): Promise<void> {
  return appendAudit(tx, tx.workspaceId, readActor(tx), act);
}

/** Returns the caller of the API, as the audit log names it. */
export function readActor({ actor: { kind, id }, clientAddress = null, requestId }: Context): AuditActor {
  return { kind, id, address: clientAddress, requestId };
}

/** Returns the fields that a change gave another value, with the values before and after; null if it changed none. */
export function changedFields<Fields extends Record<string, unknown>>(
  before: Fields,
  after: Fields,
): { before: Partial<Fields>; after: Partial<Fields> } | null {
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const changed = Object.keys(after).filter(isChanged);
  if (changed.length === 0) return null;
  const pick = (fields: Fields) =>
    Object.fromEntries(changed.map((name) => [name, fields[name]])) as Partial<Fields>;
  return { before: pick(before), after: pick(after) };
}
