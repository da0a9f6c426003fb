import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wholeWorkspace } from '../lib/scope.ts';

/**
 * Returns, for each of these messages that has one, the `traceparent` of the span that stored it, which is the cause of later work on it.
 * Reads nothing if there are no traces.
 */
export async function readTraceparents(
  { db, tracing }: Pick<Deps, 'db' | 'tracing'>,
  workspaceId: string,
  messageIds: string[],
): Promise<ReadonlyMap<string, string>> {
  if (!tracing.isOn || messageIds.length === 0) return new Map();
  const rows = await scoped({ db, workspaceId, scope: wholeWorkspace })
    .selectFrom('messages')
    .select(['id', 'traceparent'])
    .where('id', 'in', messageIds)
    .execute();
  return new Map(rows.flatMap(({ id, traceparent }) => (traceparent === null ? [] : [[id, traceparent]])));
}
