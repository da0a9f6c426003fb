import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Suppression } from 'postrider';
import { useApi } from '../lib/api.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { type ItemPage, readMatching } from '../lib/read-matching.ts';
import { useRemoval } from '../lib/use-removal.ts';
import { useQueryKey } from '../lib/workspace.ts';

/** Which suppressions to list. An empty field lets all through. */
export interface SuppressionFilters {
  q: string;
  reason: string;
}

const pickItems = ({ items }: ItemPage<Suppression>) => items;

/** Reads the suppressions that pass the filters, newest first. */
export function useSuppressions(filters: SuppressionFilters): PagedList<Suppression> {
  const api = useApi();
  const searched = filters.q.trim().toLowerCase();
  return usePagedList({
    queryKey: useQueryKey('suppressions', filters),
    read: (cursor, signal) =>
      readMatching(
        async (from) => {
          const { suppressions, next_cursor } = await api.suppressions.list(
            { cursor: from, limit: 100 },
            { signal },
          );
          return { items: suppressions, next_cursor };
        },
        ({ address, reason }) =>
          address.toLowerCase().includes(searched) && (filters.reason === '' || reason === filters.reason),
        cursor,
      ),
    pickItems,
  });
}

/** Suppresses an address, or returns its entry if it is suppressed already. */
export function useSuppress() {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = useQueryKey('suppressions');
  return useMutation({
    mutationFn: async (address: string) => {
      const { data, response } = await api.suppressions.create({ address }).withResponse();
      return { address: data.address, isNew: response.status === 201 };
    },
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

/** Removes an address from the list. It disappears at once. */
export function useUnsuppress() {
  const api = useApi();
  return useRemoval<Suppression>({
    queryKey: useQueryKey('suppressions'),
    remove: ({ address }) => api.suppressions.delete(address),
    isSame: (one, other) => one.address === other.address,
  });
}
