import type { QueryClient } from '@tanstack/react-query';
import type { Postrider, ThreadWithMessages } from 'postrider';
import { errorCode } from '../../lib/problem.ts';
import { changeRows, dropRows, patchRow, rowsKey, type ThreadRows } from './thread-rows.ts';

/** The lists of threads of a workspace, and the client that reads its threads. */
export interface RowLists {
  api: Postrider;
  queries: QueryClient;
  workspaceId: string;
}

/**
 * Reads a thread and updates its row in all lists. A refresh of a list reads only its first page, so rows further down need this. Throws
 * the error of the API; after `not_found`, the thread has left the lists.
 */
export async function readIntoRows(
  lists: RowLists,
  id: string,
  signal?: AbortSignal,
): Promise<ThreadWithMessages> {
  try {
    const thread = await lists.api.threads.get(id, { signal });
    setLists(lists, (rows) => changeRows(rows, new Set([id]), (row) => patchRow(row, thread)));
    return thread;
  } catch (error) {
    if (errorCode(error) === 'not_found') dropFromLists(lists, [id]);
    throw error;
  }
}

/** Takes threads that are deleted out of all lists. */
export function dropFromLists(lists: Omit<RowLists, 'api'>, ids: Iterable<string>): void {
  const dropped = new Set(ids);
  setLists(lists, (rows) => dropRows(rows, dropped));
}

function setLists(
  { queries, workspaceId }: Omit<RowLists, 'api'>,
  change: (rows: ThreadRows) => ThreadRows,
): void {
  queries.setQueriesData<ThreadRows>({ queryKey: [workspaceId, ...rowsKey] }, (rows) => rows && change(rows));
}
