import { type CreateRule, limits } from '@postrider/contract';
import { type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { normalizeAddress, parseDomain } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';

/** A rule as a row. */
export type RuleRow = Selectable<Tables['rules']>;

/**
 * Makes a rule, in force for the next request and the next RCPT of every process; the same rule again answers the one that is
 * there.
 *
 * @throws ApiError `limit_reached` when the workspace has as many rules as it may have.
 */
export const createRule = async (
  ctx: Context,
  input: CreateRule,
): Promise<{ row: RuleRow; isNew: boolean }> => {
  const created_at = ctx.clock.now();
  const row: RuleRow = {
    workspace_id: ctx.workspaceId,
    id: newId('rul', created_at),
    kind: input.kind,
    direction: input.direction,
    pattern: readPattern(input.pattern),
    created_at,
    api_key_id: ctx.apiKeyId,
    request_id: ctx.requestId,
  };
  return inTransaction(ctx, async (tx) => {
    await takeTurns(tx);
    const same = await findSame(tx, row);
    if (same) return { row: same, isNew: false };
    await checkLimit(tx);
    await tx.db.insertInto('rules').values(row).execute();
    return { row, isNew: true };
  });
};

/** The one spelling in which a pattern is kept and compared. */
export const readPattern = (text: string): string => {
  const pattern = text.includes('@') ? normalizeAddress(text) : parseDomain(text);
  if (pattern === null) throw invalidField('pattern', 'must be an address or a domain that mail can have');
  return pattern;
};

/** Creations of one workspace wait for each other, so that no rule is there twice and the limit is exact. */
const takeTurns = (tx: Context) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`rules:${tx.workspaceId}`}, 0))`.execute(tx.db);

const findSame = (tx: Context, { kind, direction, pattern }: RuleRow): Promise<RuleRow | undefined> =>
  scoped(tx)
    .selectFrom('rules')
    .selectAll()
    .where('pattern', '=', pattern)
    .where('kind', '=', kind)
    .where('direction', '=', direction)
    .executeTakeFirst();

const checkLimit = async (tx: Context): Promise<void> => {
  const limit = limits.rulesPerWorkspaceMax;
  const { count } = await scoped(tx)
    .selectFrom('rules')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= limit) throw new ApiError('limit_reached', { limit });
};
