import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';

/** A page of a list, of which some rows may have been left out. */
export interface ItemPage<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** The ways to read a list. */
export interface ListOptions<Item> {
  enabled?: boolean;
  /** Reads the list again after this time, as long as the items on it want it; false for never. */
  refetchMs?(items: readonly Item[]): number | false;
}

/** The state of a paged list, for `DataTable` and `LoadMore`. */
export interface PagedList<Item> {
  items: Item[];
  isLoading: boolean;
  error: unknown;
  retry(): void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
}

/** A longer list is not refetched automatically, because every page of it would be read. */
const refetchedPagesMax = 4;

/** Reads a list page by page: the first page without a cursor. `firstPage` is there once that page is. */
export function usePagedList<Page extends ItemPage<unknown>>(
  queryKey: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => PromiseLike<Page>,
  { enabled = true, refetchMs }: ListOptions<Page['items'][number]>,
): PagedList<Page['items'][number]> & { firstPage: Page | undefined } {
  const first = {
    queryKey,
    queryFn: async ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      read(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: (last: Page) => last.next_cursor ?? undefined,
  };
  useBegun(queryKey, enabled, (queries) => queries.infiniteQuery(first));
  const query = useInfiniteQuery<
    Page,
    Error,
    InfiniteData<Page, string | undefined>,
    QueryKey,
    string | undefined
  >({
    ...first,
    enabled,
    refetchInterval: ({ state: { data } }) => {
      if (!refetchMs || !data || data.pages.length > refetchedPagesMax) return false;
      return refetchMs(data.pages.flatMap(({ items }) => items));
    },
  });
  const pages = query.data?.pages;
  return {
    firstPage: pages?.[0],
    items: useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]),
    isLoading: query.isPending,
    error: query.error,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}

/** Begins to read something at the first render. A query on its own begins after the browser has painted, a tenth of a second later. */
export function useBegun(
  queryKey: QueryKey,
  isEnabled: boolean,
  begin: (queries: QueryClient) => Promise<unknown>,
): void {
  const queries = useQueryClient();
  if (isEnabled && !queries.getQueryState(queryKey)) void begin(queries).catch(() => undefined);
}
