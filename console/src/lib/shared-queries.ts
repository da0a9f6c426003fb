/* Readings that several pages share. */
import type { ApiKey, Member } from '@postrider/contract/console';
import type { Label } from 'postrider';
import { useCallback } from 'react';
import type { PagedList } from './paging.ts';
import { useRead, useShortList } from './query.ts';
import { useIsOwner } from './workspace.ts';

const inboxesMax = 1_000;
const labelsMax = 1_000;
const noKeys: ApiKey[] = [];
/** No change reports that usage has grown. */
const usageAgainMs = 60_000;

/** Reads the names of the newest keys. Only owners see them; for members there are none. */
export function useKeyNames(): ApiKey[] {
  const { data } = useRead(
    ['key-names'],
    async ({ ask }) => (await ask('keys.list', { query: { limit: 100 } })).keys,
    { enabled: useIsOwner(), staleTime: 60_000 },
  );
  return data ?? noKeys;
}

/** Reads the workspace with its plan, limits and usage, and once a minute again while it is shown. */
export function useAccount() {
  return useRead(['usage', 'account'], ({ api, signal }) => api.account.get({ signal }), {
    refetchInterval: usageAgainMs,
  });
}

/** Reads the people of the workspace, in the order in which they joined. */
export function useMembers(): PagedList<Member> {
  return useShortList(['members'], async ({ ask }) => (await ask('people.members')).members);
}

/** The lists that an inbox is in, or whose rows name it. */
export const inboxLists = ['inboxes', 'inbox-choice', 'threads'];

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

/** Reads all labels of the workspace, by name. A workspace has at most a thousand. */
export function useLabels(): PagedList<Label> {
  return useShortList(['labels'], ({ api, signal }) =>
    api.labels.list({ limit: 100 }, { signal }).toArray({ limit: labelsMax }),
  );
}
