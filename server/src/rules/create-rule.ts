import { type CreateRule, limits } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import { lock } from '../db/locks.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { inTransaction } from '../db/transaction.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { normalizeAddress, parseDomain } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';
import { auditRule } from './audit-rule.ts';
import { requireMayMakeKnown } from './may-make-known.ts';

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
  if (pattern === null) throw invalidField('pattern', 'must be an address or a domain that mail can have');
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
