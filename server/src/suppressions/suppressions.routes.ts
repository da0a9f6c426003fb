import {
  type CreateSuppression,
  contract,
  type ListSuppressions,
  type Suppression,
} from '@postrider/contract';
import { type Selectable, sql } from 'kysely';
import { type Context, contextOf } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { invalidField, notFound } from '../lib/api-error.ts';
import { decodeTimeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import { defineRoutes } from '../routes.ts';

/** A suppression as a row. */
type SuppressionRow = Selectable<Tables['suppressions']>;

/** Handlers of `/suppressions`. */
export const suppressionsRoutes = defineRoutes(contract.suppressions, {
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listSuppressions(contextOf(res), query);
    return { status: 200, body: { suppressions: rows.map(viewSuppression), next_cursor: nextCursor } };
  },
  create: async ({ body, res }) => {
    const { row, isNew } = await createSuppression(contextOf(res), body);
    return { status: isNew ? 201 : 200, body: viewSuppression(row) };
  },
  delete: async ({ params, res }) => {
    await deleteSuppression(contextOf(res), params.address);
    return { status: 204, body: undefined };
  },
});

/**
 * Suppresses an address, so that later messages leave it out. Returns the existing suppression if there is one.
 *
 * @throws ApiError `invalid_request` for an address to which mail cannot be sent.
 */
async function createSuppression(
  ctx: Context,
  input: CreateSuppression,
): Promise<{ row: SuppressionRow; isNew: boolean }> {
  const address = normalizeAddress(input.address);
  if (address === null) throw invalidField('address', 'must be an address that can receive mail');
  // Repeats only if the conflicting row was removed before it was read.
  for (;;) {
    const row = await insertSuppression(ctx, address);
    if (row) return { row, isNew: true };
    const present = await scoped(ctx)
      .selectFrom('suppressions')
      .selectAll()
      .where('address', '=', address)
      .executeTakeFirst();
    if (present) return { row: present, isNew: false };
  }
}

function insertSuppression(ctx: Context, address: string): Promise<SuppressionRow | undefined> {
  return ctx.db
    .insertInto('suppressions')
    .values({
      workspace_id: ctx.workspaceId,
      address,
      reason: 'manual',
      message_id: null,
      created_at: ctx.clock.now(),
      actor_id: ctx.actor.id,
      request_id: ctx.requestId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Removes an address, in any of its spellings, from the list. The next message is sent to it again.
 *
 * @throws ApiError `not_found` if it is not on the list.
 */
async function deleteSuppression(ctx: Context, address: string): Promise<void> {
  const deleted = await scoped(ctx)
    .deleteFrom('suppressions')
    .where('address', '=', normalizeAddress(address) ?? '')
    .returning('address')
    .executeTakeFirst();
  if (!deleted) throw notFound('address');
}

/** Returns a page of the addresses that the caller's workspace does not send to, newest first. */
async function listSuppressions(ctx: Context, query: ListSuppressions): Promise<Page<SuppressionRow>> {
  let rows = scoped(ctx)
    .selectFrom('suppressions')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('address', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) {
    const { at, key } = decodeTimeCursor(query.cursor);
    rows = rows.where(sql<boolean>`(created_at, address) < (${at}, ${key})`);
  }
  const found = await withOwnMessages(ctx, await rows.execute());
  return pageOf(found, query.limit, (row) => [row.created_at.toISOString(), row.address]);
}

/** Returns suppressions without the ids of messages that are out of the caller's scope. */
async function withOwnMessages(ctx: Context, rows: SuppressionRow[]): Promise<SuppressionRow[]> {
  const ids = rows.flatMap(({ message_id }) => message_id ?? []);
  if (ctx.scope.inboxIds === null || ids.length === 0) return rows;
  const own = await scoped(ctx).selectFrom('messages').select('id').where('id', 'in', ids).execute();
  const isOwn = new Set<string | null>(own.map(({ id }) => id));
  return rows.map((row) => ({ ...row, message_id: isOwn.has(row.message_id) ? row.message_id : null }));
}

/** Returns a suppression as the API shows it. */
function viewSuppression(row: SuppressionRow): Suppression {
  return {
    address: row.address,
    reason: row.reason,
    message_id: row.message_id,
    created_at: row.created_at.toISOString(),
  };
}
