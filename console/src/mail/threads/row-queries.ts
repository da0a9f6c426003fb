import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { askConsole } from '../../lib/ask-console.ts';
import type { PagedList } from '../../lib/paging.ts';
import { useChanges } from '../../lib/use-live.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { useQueryKey, useWorkspace } from '../../lib/workspace.ts';
import { useHiddenThreads } from './hidden-threads.ts';
import { readIntoRows } from './refresh-row.ts';
import { appendPage, mergeHead, rowsKey, type ThreadRows } from './thread-rows.ts';

const pageSize = 100;
/** The threads further down that are read again at one time. */
const farMax = 5;

/** The list, and the failure of a refresh of rows that are still shown. */
export interface ThreadRowList extends PagedList<ThreadRows['rows'][number]> {
  refreshError: unknown;
  refresh(): void;
}

/**
 * Reads the threads with filters, page by page. When the list is refreshed, only its first page is read again, however long it is, so
 * that new mail costs one small request.
 */
export function useThreadRows(filters: ThreadFilters): ThreadRowList {
  const { workspace_id: workspace } = useWorkspace();
  const queries = useQueryClient();
  const queryKey = useQueryKey(...rowsKey, filters);
  const read = (cursor: string | undefined, signal?: AbortSignal) =>
    askConsole(
      'mail.threads',
      { query: { ...filterQuery(filters), limit: pageSize, cursor } },
      { workspace, signal },
    );
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const head = await read(undefined, signal);
      return mergeHead(queries.getQueryData<ThreadRows>(queryKey), head);
    },
    // Comparing thousands of rows takes longer than a frame. `mergeHead` keeps the objects that are equal.
    structuralSharing: false,
  });
  const more = useMore(query.data, async (cursor) => {
    const page = await read(cursor);
    queries.setQueryData<ThreadRows>(queryKey, (now) =>
      now?.next_cursor === cursor ? appendPage(now, page) : now,
    );
  });
  useFarChanges(queryKey);
  const hidden = useHiddenThreads();
  const rows = query.data?.rows;
  const items = useMemo(() => {
    const all = (rows ?? []) as ThreadRows['rows'][number][];
    return hidden.size === 0 ? all : all.filter(({ id }) => !hidden.has(id));
  }, [rows, hidden]);
  return {
    items,
    isLoading: query.isPending,
    error: query.data === undefined ? query.error : more.error,
    retry: () => (query.data === undefined ? void query.refetch() : more.load()),
    hasMore: typeof query.data?.next_cursor === 'string',
    isLoadingMore: more.isLoading,
    refreshError: query.isRefetchError ? query.error : null,
    refresh: () => void query.refetch(),
    loadMore: more.load,
  };
}

/** Reads threads again that changed further down than the first page, which is all that a refresh reads. */
function useFarChanges(queryKey: QueryKey): void {
  const api = useApi();
  const queries = useQueryClient();
  const { workspace_id: workspaceId } = useWorkspace();
  const pending = useRef(new Set<string>());
  useChanges(({ thread_id }) => {
    if (thread_id === null) return;
    const { rows = [] } = queries.getQueryData<ThreadRows>(queryKey) ?? {};
    const isFar = rows.findIndex(({ id }) => id === thread_id) >= pageSize;
    if (!isFar || pending.current.has(thread_id) || pending.current.size >= farMax) return;
    pending.current.add(thread_id);
    readIntoRows({ api, queries, workspaceId }, thread_id)
      // The list stays as it is. The next change, or opening the thread, reads it again.
      .catch(() => undefined)
      .finally(() => pending.current.delete(thread_id));
  });
}

function useMore(data: ThreadRows | undefined, read: (cursor: string) => Promise<void>) {
  const [state, setState] = useState<{ isLoading: boolean; error: unknown }>({
    isLoading: false,
    error: null,
  });
  const running = useRef<string | null>(null);
  const latest = useRef(read);
  latest.current = read;
  const cursor = data?.next_cursor ?? null;
  const load = useCallback(() => {
    if (cursor === null || running.current === cursor) return;
    running.current = cursor;
    setState({ isLoading: true, error: null });
    const end = (error: unknown) => {
      if (running.current === cursor) running.current = null;
      setState({ isLoading: false, error });
    };
    latest.current(cursor).then(() => end(null), end);
  }, [cursor]);
  return { ...state, load };
}

/** The filters of the list: ids of an inbox and a label, and `unread` for the state; empty for all. */
type ThreadFilters = { inbox: string; label: string; show: string };

const noFilters: ThreadFilters = { inbox: '', label: '', show: '' };

/** Returns the filters of the address, and a function that changes some of them. */
export function useThreadFilters() {
  return useUrlState(noFilters);
}

/** Returns the query of the server for filters. */
function filterQuery({ inbox, label, show }: ThreadFilters) {
  return {
    inbox_id: inbox || undefined,
    label_id: label || undefined,
    read: show === 'unread' ? ('false' as const) : undefined,
  };
}
