import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';

/** A sending domain as a row. */
export type DomainRow = Selectable<Tables['domains']>;

/**
 * Returns the caller's domain with this id, which is the parameter `param` of the request.
 *
 * @throws ApiError `not_found` for an id that is malformed, unknown or another workspace's.
 */
export async function getDomain(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  id: string,
  param = 'id',
): Promise<DomainRow> {
  if (!isId('dom', id)) throw notFound(param);
  const row = await scoped(ctx).selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound(param);
  return row;
}

/** Returns whether the owner of a domain directs its mail to other servers, according to the last check of its MX records. */
export async function isServedElsewhere(
  owner: Pick<Context, 'db' | 'workspaceId'>,
  hostname: string,
): Promise<boolean> {
  const row = await scoped(owner)
    .selectFrom('domains')
    .select('checks')
    .where('hostname', '=', hostname)
    .executeTakeFirst();
  return row?.checks.some(({ purpose, isElsewhere }) => purpose === 'inbound' && isElsewhere) ?? false;
}
