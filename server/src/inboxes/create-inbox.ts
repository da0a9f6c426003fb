import { CreateInbox, limits, reservedNames } from '@postrider/contract';
import { actorOf, type Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { lockDomain } from '../domains/claim-hostname.ts';
import { getDomain } from '../domains/find-domain.ts';
import { sharedDomain } from '../domains/mail-domain.ts';
import { inboxSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { ApiError, isApiError } from '../lib/api-error.ts';
import { domainOf } from '../lib/email-address.ts';
import { isId, newId } from '../lib/ids.ts';
import { perServer } from '../lib/memory.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { StartError } from '../lib/start/start-error.ts';
import { isPersonal } from '../people-mail/personal-addresses.ts';
import type { WorkspaceSummary } from '../workspaces/manage-workspaces.ts';
import { hasHigherPlan, planLimits } from '../workspaces/usage.ts';
import type { InboxRow } from './find-inbox.ts';

/**
 * Claims the address and creates the inbox, which takes mail from then on.
 *
 * @throws ApiError `address_taken` with its reason, also for a reserved address, for that of a person and for one that another workspace
 * deleted within 30 days, `inbox_limit_reached`, `domain_not_verified`, and `not_found` for a `domain_id` that is not the caller's.
 */
export async function createInbox(ctx: Context, input: CreateInbox): Promise<InboxRow> {
  const domain = input.domain_id ? await getDomain(ctx, input.domain_id, 'domain_id') : null;
  if (!domain && (reservedNames as readonly string[]).includes(input.local_part))
    throw addressTaken('reserved');
  const created_at = ctx.clock.now();
  const row: InboxRow = {
    id: newId('inb', created_at),
    workspace_id: ctx.workspaceId,
    local_part: input.local_part,
    display_name: input.display_name ?? null,
    domain_id: domain?.id ?? null,
    address: `${input.local_part}@${domain?.hostname ?? sharedDomain(ctx).name}`,
    metadata: input.metadata ?? {},
    created_at,
    deleted_at: null,
    actor_id: ctx.actor.id,
    request_id: ctx.requestId,
  };
  return inInboxTurn(ctx, async (tx) => {
    if (domain) await requireVerified(tx, domain.id);
    await takeInboxTurn(tx);
    // The claim comes first, so that a caller at the limit of its plan still learns about its own inbox.
    await claimAddress(tx, row);
    await checkInboxLimit(tx);
    await tx.db.insertInto('inboxes').values(row).execute();
    return row;
  });
}

/** Checks that a domain takes inboxes, and keeps it from being deleted until the inbox is stored. */
async function requireVerified(tx: Context, id: string): Promise<void> {
  await lockDomain(tx, id, 'shared');
  const { status } = await getDomain(tx, id, 'domain_id');
  if (status !== 'verified') throw new ApiError('domain_not_verified');
}

/** Makes creations of one workspace take turns with each other and with deletions, so that limits are exact under concurrency. */
export async function takeInboxTurn(tx: Context): Promise<void> {
  await lock(tx, 'inboxes', tx.workspaceId);
}

async function checkInboxLimit(tx: Context): Promise<void> {
  const { inboxes: limit } = planLimits(tx);
  const { count } = await scoped(tx)
    .selectFrom('inboxes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= limit) throw new ApiError('inbox_limit_reached', { upgrade: hasHigherPlan(tx.plan), limit });
}

async function claimAddress(tx: Context, row: InboxRow): Promise<void> {
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
  const ownerOfDomain = row.domain_id === null ? null : row.workspace_id;
  if (await isPersonal(tx, { address: row.address, ownerOfDomain })) throw addressTaken('taken');
}

/** Returns the reason that an address could not be claimed. It names the inbox that has the address if that is the caller's own. */
async function whyTaken(tx: Context, { address }: InboxRow): Promise<ApiError> {
  const holder = await acrossWorkspaces(tx, 'addresses are unique over all workspaces')
    .selectFrom('addresses')
    .select(['workspace_id', 'inbox_id', 'held_until'])
    .where('address', '=', address)
    .executeTakeFirst();
  if (holder?.held_until) return addressTaken('held');
  return addressTaken('taken', holder?.workspace_id === tx.workspaceId ? holder.inbox_id : undefined);
}

const messages = {
  reserved: 'Choose another local part; this one is reserved.',
  held: 'Choose another local part; this one is held for the workspace that deleted it.',
  taken: 'Choose another local part; an inbox or a person already has this address.',
  own: 'Use the inbox that `inbox_id` names, which has this address, or choose another local part.',
};

function addressTaken(reason: 'taken' | 'reserved' | 'held', inboxId?: string): ApiError<'address_taken'> {
  return new ApiError(
    'address_taken',
    { reason, ...(inboxId !== undefined && { inbox_id: inboxId }) },
    { message: messages[inboxId === undefined ? reason : 'own'] },
  );
}

/** Returns when an address that is deleted now may be claimed by another workspace. */
export function heldUntil(ctx: Context): Date {
  return ctx.timeScale.after(ctx.clock.now(), limits.addressHoldMs);
}

/**
 * Each workspace creates and deletes one inbox at a time, and rests for as long as that took, within limits. Each takes many statements,
 * and transactions that wait for the lock of their workspace would occupy connections that others need.
 */
const inboxTurns = perServer(() => new Slots(inboxSlots));

/** Runs a transaction that creates or deletes an inbox, in the workspace's turn. */
export function inInboxTurn<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  return inboxTurns(ctx).run(ctx.workspaceId, () => inTransaction(ctx, work));
}

/**
 * Returns the id of an inbox that the configuration names by its id or its address; null for an id that the workspace does not have. An
 * address on the shared domain that has no inbox gets one.
 *
 * @throws StartError if it cannot have one.
 */
export async function claimInbox(
  deps: Deps,
  workspace: WorkspaceSummary,
  named: string,
): Promise<string | null> {
  const ctx: Context = {
    ...deps,
    workspaceId: workspace.id,
    plan: workspace.plan,
    isTest: workspace.is_test,
    scope: wholeWorkspace,
    actor: actorOf(null),
    requestId: null,
  };
  const address = named.toLowerCase();
  const known = await scoped(ctx)
    .selectFrom('inboxes')
    .select('id')
    .where(isId('inb', named) ? 'id' : 'address', '=', address)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (known || isId('inb', named)) return known?.id ?? null;
  const local_part = address.slice(0, address.lastIndexOf('@'));
  const input = CreateInbox.safeParse({ local_part });
  if (!input.success || domainOf(address) !== sharedDomain(ctx).name)
    throw new StartError(`The configuration names ${named}, which can be no inbox of this server.`);
  try {
    return (await createInbox(ctx, input.data)).id;
  } catch (error) {
    // Another process of this configuration was quicker.
    if (isApiError(error, 'address_taken') && error.extra.inbox_id !== undefined) return error.extra.inbox_id;
    throw new StartError(`The inbox ${named} of the configuration was not made.`, error);
  }
}
