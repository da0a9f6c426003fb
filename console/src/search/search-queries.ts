import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { MessagePage } from 'postrider';
import { useApi } from '../lib/api.ts';
import { usePagedList } from '../lib/paging.ts';
import { useQueryKey } from '../lib/workspace.ts';
import { isAsking, queryFor, type SearchState } from './search-state.ts';

const labelsMax = 1_000;
const pickMessages = ({ messages }: MessagePage) => messages;

/** Searches messages, best first; without words, the newest that pass the filters. Results stay in place when mail arrives. */
export function useSearch(search: SearchState) {
  const api = useApi();
  return usePagedList({
    queryKey: useQueryKey('search', search),
    read: (cursor, signal) => api.messages.list({ ...queryFor(search), cursor }, { signal }),
    pickItems: pickMessages,
    enabled: isAsking(search),
  });
}

/** Reads the labels of the workspace for a choice among them. */
export function useLabelChoice() {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('labels', 'choice'),
    queryFn: async ({ signal }) => {
      const page = await api.labels.list({ limit: 100 }, { signal });
      return page.toArray({ limit: labelsMax });
    },
    placeholderData: keepPreviousData,
  });
}
