import { type CreateRule, limits } from '@postrider/contract';
import { type Selectable, sql } from 'kysely';
import { recordAct } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { normalizeAddress, parseDomain } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';

/** A rule as a row. */
export type RuleRow = Selectable<Tables['rules']>;

/**
 * Creates a rule, in force from the next request and the next RCPT of every process on. Returns the existing rule if the same one exists
 * already.
 *
 * @throws ApiError `limit_reached` if the workspace has as many rules as it may have, `sending_not_allowed` and `owner_only` if a policy
 * limits recipients, and a key or a member would make one known.
 */
export async function createRule(ctx: Context, input: CreateRule): Promise<{ row: RuleRow; isNew: boolean }> {
  const created_at = ctx.clock.now();
  const row: RuleRow = {
    workspace_id: ctx.workspaceId,
    id: newId('rul', created_at),
    kind: input.kind,
    direction: input.direction,
    pattern: readPattern(input.pattern),
    created_at,
    actor_id: ctx.actor.id,
    request_id: ctx.requestId,
  };
  return inTransaction(ctx, async (tx) => {
    if (allowsRecipient(row)) await requireMayMakeKnown(tx);
    await takeTurns(tx);
    const same = await findSame(tx, row);
    if (same) return { row: same, isNew: false };
    await checkLimit(tx);
    await tx.db.insertInto('rules').values(row).execute();
    await auditRule(tx, 'created', row);
    return { row, isNew: true };
  });
}

/** Returns the form in which a pattern is stored and compared. */
export function readPattern(text: string): string {
  const pattern = text.includes('@') ? normalizeAddress(text) : parseDomain(text);
  if (pattern === null) throw invalidField('pattern', 'must be a valid mail address or domain');
  return pattern;
}

function allowsRecipient({ kind, direction }: RuleRow): boolean {
  return kind === 'allow' && direction !== 'inbound';
}

/** Makes creations in one workspace wait for each other, so that no rule exists twice and the limit is exact. */
function takeTurns(tx: Context) {
  return lock(tx, 'rules', tx.workspaceId);
}

function findSame(tx: Context, { kind, direction, pattern }: RuleRow): Promise<RuleRow | undefined> {
  return scoped(tx)
    .selectFrom('rules')
    .selectAll()
    .where('pattern', '=', pattern)
    .where('kind', '=', kind)
    .where('direction', '=', direction)
    .executeTakeFirst();
}

async function checkLimit(tx: Context): Promise<void> {
  const limit = limits.rulesPerWorkspaceMax;
  const { count } = await scoped(tx)
    .selectFrom('rules')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= limit) throw new ApiError('limit_reached', { limit });
}

interface AuditedRule {
  id: string;
  kind: string;
  direction: string;
  pattern: string;
}

/** Records a rule about outgoing mail that was created or deleted, since it decides who may get mail. Call it last in the transaction. */
export async function auditRule(
  tx: Context,
  what: 'created' | 'deleted',
  { id, kind, direction, pattern }: AuditedRule,
): Promise<void> {
  if (direction === 'inbound') return;
  const value = { kind, direction, pattern };
  const act = { action: `rule.${what}`, target: id };
  await recordAct(tx, what === 'created' ? { ...act, after: value } : { ...act, before: value });
}

/**
 * Checks that the caller can create an outbound allow rule, which makes an address known to every policy that allows known recipients, or
 * delete an outbound block rule, below which a broader allow rule may take effect. Where a policy limits recipients, only those who can
 * change the policy can do this. The policy of another key does not restrict a key, because a key without a policy can write to anyone
 * itself. Valid until the transaction ends.
 *
 * @throws ApiError `sending_not_allowed` for a key, `owner_only` for a member.
 */
export async function requireMayMakeKnown(tx: Context): Promise<void> {
  await sql`select lock_sending(${tx.workspaceId}, false)`.execute(tx.db);
  const level = await limitedAt(tx);
  if (level === null || tx.actor.kind === 'server') return;
  if (tx.actor.kind === 'key')
    throw new ApiError('sending_not_allowed', { at: level }, { message: forPeople });
  const member = await scoped(tx)
    .selectFrom('memberships')
    .select('role')
    .where('person_id', '=', tx.actor.id)
    .executeTakeFirst();
  if (member?.role !== 'owner') throw new ApiError('owner_only');
}

const forPeople =
  'A policy limits the recipients, so only people can allow more of them. Ask the people who run this workspace.';

/**
 * Returns where a policy that concerns the caller limits recipients, if one does. Those of revoked keys and deleted inboxes hold for
 * nothing.
 */
async function limitedAt(tx: Context): Promise<'workspace' | 'inbox' | 'key' | null> {
  const { rows } = await sql<{ level: 'workspace' | 'inbox' | 'key' }>`select level from policies p
    where workspace_id = ${tx.workspaceId} and lines ? 'recipients'
      and (level <> 'key' or ${tx.actor.kind !== 'key'} or subject_id = ${tx.actor.id})
      and not exists (select from api_keys k where level = 'key' and k.id = subject_id and k.revoked_at is not null)
      and (level <> 'inbox' or exists (select from inboxes i where i.workspace_id = p.workspace_id and i.id = subject_id
        and i.deleted_at is null))
    order by array_position(array['workspace', 'inbox', 'key'], level) limit 1`.execute(
    acrossWorkspaces(tx, 'the query names the workspace'),
  );
  return rows[0]?.level ?? null;
}
