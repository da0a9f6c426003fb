import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from './api.ts';
import { useQueryKey } from './workspace.ts';

const inboxesMax = 1_000;

/** Reads the inboxes of the workspace for a choice among them: the newest 1,000. */
export function useInboxChoice() {
  const api = useApi();
  return useQuery({
    // Mail changes the list of inboxes with their counts, and not this one.
    queryKey: useQueryKey('inbox-choice'),
    queryFn: async ({ signal }) => {
      const page = await api.inboxes.list({ limit: 100 }, { signal });
      return page.toArray({ limit: inboxesMax });
    },
  });
}

/** Returns a function that gives the address of an inbox, or its id while the address is not known. */
export function useInboxAddress(): (id: string) => string {
  const { data } = useInboxChoice();
  return useCallback((id) => data?.find((inbox) => inbox.id === id)?.address ?? id, [data]);
}
