import type { ThreadSummary } from '@postrider/contract/console';
import { type QueryKey, useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { askConsole } from '../../lib/ask-console.ts';
import type { PagedList } from '../../lib/paging.ts';
import { useChanges } from '../../lib/use-live.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { hiddenThreads } from './delete-threads.ts';
import {
  appendPage,
  mergeHead,
  type RowLists,
  readIntoRows,
  type ThreadRows,
  useRowLists,
} from './thread-rows.ts';

/** The filters of the list: ids of an inbox and a label, and `unread` for the state; empty for all. */
type ThreadFilters = { inbox: string; label: string; show: string };

const pageSize = 100;
/** The threads further down that are read again at one time. */
const farMax = 5;

/** The list, and the failure of a refresh of rows that are still shown. */
export interface ThreadRowList extends PagedList<ThreadSummary> {
  refreshError: unknown;
  refresh(): void;
}

/** Reads threads page by page. A refresh reads only the first page, however long the list is, so that new mail costs one small request. */
export function useThreadRows(filters: ThreadFilters): ThreadRowList {
  const { inbox, label, show } = filters;
  const lists = useRowLists();
  const { queries, workspaceId: workspace } = lists;
  const queryKey = [...lists.queryKey, filters];
  const asked = {
    inbox_id: inbox || undefined,
    label_id: label || undefined,
    read: show === 'unread' ? ('false' as const) : undefined,
    limit: pageSize,
  };
  const read = (cursor: string | undefined, signal?: AbortSignal) =>
    askConsole('mail.threads', { query: { ...asked, cursor } }, { workspace, signal });
  const { data, error, isPending, isRefetchError, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const head = await read(undefined, signal);
      return mergeHead(queries.getQueryData<ThreadRows>(queryKey), head);
    },
    // Comparing thousands of rows takes longer than a frame. `mergeHead` keeps the objects that are equal.
    structuralSharing: false,
  });
  const asking = useRef<string | null>(null);
  const { mutate, ...more } = useMutation({
    mutationFn: async (cursor: string) => {
      const page = await read(cursor);
      queries.setQueryData<ThreadRows>(queryKey, (now) =>
        now?.next_cursor === cursor ? appendPage(now, page) : now,
      );
    },
    onSettled: () => {
      asking.current = null;
    },
  });
  const cursor = data?.next_cursor ?? null;
  const loadMore = useCallback(() => {
    // The list asks again at each frame in which its end is near.
    if (cursor === null || asking.current === cursor) return;
    asking.current = cursor;
    mutate(cursor);
  }, [cursor, mutate]);
  useFarChanges(lists, queryKey);
  const hidden = hiddenThreads.useValue();
  const items = useMemo(() => data?.rows.filter(({ id }) => !hidden.has(id)) ?? [], [data, hidden]);
  return {
    items,
    isLoading: isPending,
    error: data === undefined ? error : more.error,
    retry: () => (data === undefined ? void refetch() : loadMore()),
    hasMore: cursor !== null,
    isLoadingMore: more.isPending,
    refreshError: isRefetchError ? error : null,
    refresh: () => void refetch(),
    loadMore,
  };
}

/** Reads threads again that changed further down than the first page, which is all that a refresh reads. */
function useFarChanges(lists: RowLists, queryKey: QueryKey): void {
  const pending = useRef(new Set<string>());
  useChanges(({ thread_id }) => {
    if (thread_id === null) return;
    const { rows = [] } = lists.queries.getQueryData<ThreadRows>(queryKey) ?? {};
    const isFar = rows.findIndex(({ id }) => id === thread_id) >= pageSize;
    if (!isFar || pending.current.has(thread_id) || pending.current.size >= farMax) return;
    pending.current.add(thread_id);
    readIntoRows(lists, thread_id)
      // The list stays as it is. The next change, or opening the thread, reads it again.
      .catch(() => undefined)
      .finally(() => pending.current.delete(thread_id));
  });
}

const noFilters: ThreadFilters = { inbox: '', label: '', show: '' };

/** Returns the filters of the address, and a function that changes some of them. */
export function useThreadFilters() {
  return useUrlState(noFilters);
}
