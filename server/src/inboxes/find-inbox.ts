import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { isId } from '../lib/ids.ts';

/** An inbox as a row. */
export type InboxRow = Selectable<Tables['inboxes']>;

/**
 * The caller's inbox with this id.
 *
 * @throws ApiError `not_found` for an id that is malformed, unknown, deleted or another workspace's.
 */
export const getInbox = async (ctx: Pick<Context, 'db' | 'workspaceId'>, id: string): Promise<InboxRow> => {
  if (!isId('inb', id)) throw new ApiError('not_found');
  const row = await scoped(ctx)
    .selectFrom('inboxes')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new ApiError('not_found');
  return row;
};

/** Where mail to an address goes. */
export interface InboxAddress {
  address: string;
  workspaceId: string;
  inboxId: string;
  isTest: boolean;
}

/**
 * The live inboxes that addresses reach, in their order; null for none. The address itself wins over the one without its plus
 * tag, so that an address that was claimed with a plus would keep its own mail.
 */
export const findInboxesByAddress = async (
  deps: Pick<Deps, 'db'>,
  addresses: string[],
): Promise<(InboxAddress | null)[]> => {
  const spellings = [...new Set(addresses.flatMap((address) => [address, stripPlusTag(address)]))];
  const db = acrossWorkspaces(deps, 'an address leads to its workspace');
  const rows = await selectAddresses({ db }, { spellings });
  const found = new Map(rows.map((row) => [row.address, row]));
  return addresses.map((address) => {
    const row = found.get(address) ?? found.get(stripPlusTag(address));
    return row
      ? { address: row.address, workspaceId: row.workspace_id, inboxId: row.inbox_id, isTest: row.is_test }
      : null;
  });
};

const selectAddresses = prepared((db, { spellings }: { spellings: string[] }) =>
  db
    .selectFrom('addresses')
    .innerJoin('workspaces', 'workspaces.id', 'addresses.workspace_id')
    .select(['address', 'workspace_id', 'inbox_id', 'is_test'])
    .where((is) => is('address', '=', is.fn.any(is.val(spellings))))
    .where('held_until', 'is', null)
    .compile(),
);
