import type { ThreadSummary } from '@postrider/contract/console';
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { Postrider, ThreadWithMessages } from 'postrider';
import { useMemo } from 'react';
import { useApi } from '../../lib/api.ts';
import { errorCode } from '../../lib/problem.ts';
import { useWorkspace } from '../../lib/workspace.ts';

/** The lists of threads of a workspace, and the client that reads its threads. */
export interface RowLists {
  api: Postrider;
  queries: QueryClient;
  workspaceId: string;
  /** The beginning of the query keys of all of them. */
  queryKey: QueryKey;
}

/** Returns the lists of threads of the current workspace. */
export function useRowLists(): RowLists {
  const api = useApi();
  const queries = useQueryClient();
  const { workspace_id: workspaceId } = useWorkspace();
  return useMemo(
    () => ({ api, queries, workspaceId, queryKey: [workspaceId, 'threads', 'rows'] }),
    [api, queries, workspaceId],
  );
}

/** Reads a thread and updates its row in all lists, because a refresh reads only their first page. One that is gone leaves the lists. */
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
export function dropFromLists(lists: RowLists, ids: Iterable<string>): void {
  const dropped = new Set(ids);
  setLists(lists, (rows) => dropRows(rows, dropped));
}

function setLists({ queries, queryKey }: RowLists, change: (rows: ThreadRows) => ThreadRows): void {
  queries.setQueriesData<ThreadRows>({ queryKey }, (rows) => rows && change(rows));
}

/** The part of the list of threads that was read: from the newest on, without holes. */
export interface ThreadRows {
  rows: readonly ThreadSummary[];
  next_cursor: string | null;
}

type ThreadPage = { threads: readonly ThreadSummary[] } & Pick<ThreadRows, 'next_cursor'>;

/**
 * Returns the rows after the first page was read again. Within the reach of that page it alone counts, so threads that moved up or were
 * deleted leave their old places; older rows stay. If more is new than one page holds, the rows begin anew with it. Rows that did not
 * change stay the same objects.
 */
export function mergeHead(before: ThreadRows | undefined, head: ThreadPage): ThreadRows {
  const last = head.threads.at(-1);
  if (before === undefined || last === undefined || head.next_cursor === null) return startWith(before, head);
  const isInHead = new Set(head.threads.map(({ id }) => id));
  const hasOverlap = before.rows.some(({ id }) => isInHead.has(id));
  if (!hasOverlap) return startWith(before, head);
  const older = before.rows.filter((row) => !isInHead.has(row.id) && isOlder(row, last));
  if (older.length === 0) return startWith(before, head);
  return { rows: [...kept(before, head.threads), ...older], next_cursor: before.next_cursor };
}

/** Returns the rows with one more page at the end. */
export function appendPage(before: ThreadRows, page: ThreadPage): ThreadRows {
  const known = new Set(before.rows.map(({ id }) => id));
  const added = page.threads.filter(({ id }) => !known.has(id));
  return { rows: [...before.rows, ...added], next_cursor: page.next_cursor };
}

/** Returns the rows with a change to some of them. */
export function changeRows(
  before: ThreadRows,
  ids: ReadonlySet<string>,
  change: (row: ThreadSummary) => ThreadSummary,
): ThreadRows {
  return { ...before, rows: before.rows.map((row) => (ids.has(row.id) ? change(row) : row)) };
}

/** Returns the rows without some of them. */
export function dropRows(before: ThreadRows, ids: ReadonlySet<string>): ThreadRows {
  return { ...before, rows: before.rows.filter(({ id }) => !ids.has(id)) };
}

/** Returns the rows with one of them as it was before a change that failed. */
export function restoreRow(now: ThreadRows, before: ThreadRows | undefined, id: string): ThreadRows {
  const old = before?.rows.find((row) => row.id === id);
  return old === undefined ? now : changeRows(now, new Set([id]), () => old);
}

/** Returns a row updated from a thread that was read separately. Unread mail is not counted in a thread that was read only in part. */
export function patchRow(row: ThreadSummary, thread: ThreadWithMessages): ThreadSummary {
  const { messages, messages_truncated, ...fields } = thread;
  const last = messages.at(-1);
  const writer = messages.findLast(({ direction }) => direction === 'inbound');
  const sent = messages.findLast(({ direction }) => direction === 'outbound');
  if (last === undefined) return { ...row, ...fields };
  const { id, direction, from_addr, from_name, snippet } = last;
  const statuses = new Set(sent?.recipients.map(({ status }) => status));
  return {
    ...row,
    ...fields,
    unread_count: messages_truncated ? row.unread_count : messages.filter(({ read }) => !read).length,
    last_message: { id, direction, from_addr, from_name, snippet },
    last_writer: writer ? { address: writer.from_addr, name: writer.from_name } : row.last_writer,
    sent_status: sent === undefined ? row.sent_status : (worstFirst.find((one) => statuses.has(one)) ?? null),
  };
}

/** Returns how many rows at the beginning have mail from after a time, given as in `last_message_at`. */
export function countNewer(rows: readonly ThreadSummary[], time: string): number {
  const end = rows.findIndex(({ last_message_at }) => last_message_at <= time);
  return end === -1 ? rows.length : end;
}

/**
 * Returns by how many rows a reader's place moves when the rows change, so that what is read stays where it is. `first` is the index of
 * the first row that is seen. A row that moved to the top does not count, because the others did not go with it.
 */
export function countShift(
  before: readonly ThreadSummary[],
  after: readonly ThreadSummary[],
  first: number,
): number {
  const seen = before.slice(first, first + rowsCompared);
  const wanted = new Set(seen.map(({ id }) => id));
  const places = new Map<string, number>();
  for (let index = 0; index < after.length && places.size < wanted.size; index += 1) {
    const id = after[index]?.id;
    if (id !== undefined && wanted.has(id)) places.set(id, index);
  }
  const shifts = seen.flatMap(({ id }, offset) => {
    const place = places.get(id);
    return place === undefined ? [] : [place - (first + offset)];
  });
  return shifts.length === 0 ? 0 : Math.max(...shifts);
}

const rowsCompared = 12;
const worstFirst = [
  'complained',
  'bounced',
  'rejected',
  'failed',
  'deferred',
  'held',
  'queued',
  'sending',
  'sent',
  'delivered',
] as const;

function startWith(before: ThreadRows | undefined, head: ThreadPage): ThreadRows {
  return { rows: kept(before, head.threads), next_cursor: head.next_cursor };
}

function kept(before: ThreadRows | undefined, rows: readonly ThreadSummary[]): ThreadSummary[] {
  const known = new Map(before?.rows.slice(0, 2 * rows.length).map((row) => [row.id, row]));
  return rows.map((row) => {
    const old = known.get(row.id);
    return old && JSON.stringify(old) === JSON.stringify(row) ? old : row;
  });
}

/** Lists are ordered by the last activity, then by the id. */
function isOlder(row: ThreadSummary, than: ThreadSummary): boolean {
  return row.last_message_at === than.last_message_at
    ? row.id < than.id
    : row.last_message_at < than.last_message_at;
}
