import { useCallback } from 'react';
import { useRead } from './query.ts';

const inboxesMax = 1_000;

/** Reads the inboxes of the workspace for a choice among them: the newest 1,000. */
export function useInboxChoice() {
  // Mail changes the list of inboxes with their counts, and not this one.
  return useRead(['inbox-choice'], ({ api, signal }) =>
    api.inboxes.list({ limit: 100 }, { signal }).toArray({ limit: inboxesMax }),
  );
}

/** Returns a function that gives the address of an inbox, or its id while the address is not known. */
export function useInboxAddress(): (id: string) => string {
  const { data } = useInboxChoice();
  return useCallback((id) => data?.find((inbox) => inbox.id === id)?.address ?? id, [data]);
}
