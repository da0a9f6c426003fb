import { CreateInbox } from '@postrider/contract';
import { actorOf, type Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { sharedDomain } from '../domains/mail-domain.ts';
import { isApiError } from '../lib/api-error.ts';
import { domainOf } from '../lib/email-address.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { StartError } from '../lib/start/start-error.ts';
import type { WorkspaceSummary } from '../workspaces/manage-workspaces.ts';
import { createInbox } from './create-inbox.ts';

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
