import { type CreateInbox, limits, reservedNames } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import { hasHigherPlan, planLimits } from '../workspaces/plan.ts';
import type { InboxRow } from './find-inbox.ts';
import { inInboxTurn } from './inbox-turns.ts';

/**
 * Claims the address and makes the inbox, which takes mail from then on.
 *
 * @throws ApiError `address_taken` with its reason, also for a reserved address and for one that another workspace deleted within 30 days,
 * `inbox_limit_reached`, and `not_found` for a `domain_id` that is not the caller's.
 */
export const createInbox = async (ctx: Context, input: CreateInbox): Promise<InboxRow> => {
  if (input.domain_id) throw notFound('domain_id');
  if ((reservedNames as readonly string[]).includes(input.local_part)) throw addressTaken('reserved');
  const created_at = ctx.clock.now();
  const row: InboxRow = {
    id: newId('inb', created_at),
    workspace_id: ctx.workspaceId,
    local_part: input.local_part,
    display_name: input.display_name ?? null,
    domain_id: null,
    address: `${input.local_part}@${ctx.config.mailDomain}`,
    metadata: input.metadata ?? {},
    created_at,
    deleted_at: null,
    api_key_id: ctx.apiKeyId,
    request_id: ctx.requestId,
  };
  return inInboxTurn(ctx, async (tx) => {
    await takeInboxTurn(tx);
    // First, so that at the limit of the plan too a caller is told of the inbox that is its own.
    await claimAddress(tx, row);
    await checkInboxLimit(tx);
    await tx.db.insertInto('inboxes').values(row).execute();
    return row;
  });
};

/** Creations of one workspace take turns with each other and with deletions, so that limits are exact under concurrency. */
export const takeInboxTurn = async (tx: Context): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`inboxes:${tx.workspaceId}`}, 0))`.execute(tx.db);
};

const checkInboxLimit = async (tx: Context): Promise<void> => {
  const { inboxes: limit } = planLimits(tx);
  const { count } = await scoped(tx)
    .selectFrom('inboxes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= limit) throw new ApiError('inbox_limit_reached', { upgrade: hasHigherPlan(tx.plan), limit });
};

const claimAddress = async (tx: Context, row: InboxRow): Promise<void> => {
  const claimed = await acrossWorkspaces(tx, 'addresses are unique over all workspaces')
    .insertInto('addresses')
    .values({ address: row.address, workspace_id: row.workspace_id, inbox_id: row.id, held_until: null })
    .onConflict((conflict) =>
      conflict
        .column('address')
        .doUpdateSet({ workspace_id: row.workspace_id, inbox_id: row.id, held_until: null })
        .where((held) =>
          held.and([
            held('addresses.held_until', 'is not', null),
            held.or([
              held('addresses.held_until', '<=', row.created_at),
              held('addresses.workspace_id', '=', row.workspace_id),
            ]),
          ]),
        ),
    )
    .returning('address')
    .executeTakeFirst();
  if (!claimed) throw await whyTaken(tx, row);
};

/** Why an address could not be claimed; the inbox that has it is named where it is the caller's own. */
const whyTaken = async (tx: Context, { address }: InboxRow): Promise<ApiError> => {
  const holder = await acrossWorkspaces(tx, 'addresses are unique over all workspaces')
    .selectFrom('addresses')
    .select(['workspace_id', 'inbox_id', 'held_until'])
    .where('address', '=', address)
    .executeTakeFirst();
  if (holder?.held_until) return addressTaken('held');
  return addressTaken('taken', holder?.workspace_id === tx.workspaceId ? holder.inbox_id : undefined);
};

const messages = {
  reserved: 'Choose another local part; this one is reserved.',
  held: 'Choose another local part; this one is held for the workspace that deleted it.',
  taken: 'Choose another local part; an inbox has this one.',
  own: 'Use the inbox named in `inbox_id`, which has this address, or choose another local part.',
};

const addressTaken = (reason: 'taken' | 'reserved' | 'held', inboxId?: string): ApiError<'address_taken'> =>
  new ApiError(
    'address_taken',
    { reason, ...(inboxId !== undefined && { inbox_id: inboxId }) },
    { message: messages[inboxId === undefined ? reason : 'own'] },
  );

/** When an address that is deleted now may be claimed by another workspace. */
export const heldUntil = (ctx: Context): Date => ctx.timeScale.after(ctx.clock.now(), limits.addressHoldMs);
