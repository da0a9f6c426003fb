/* Readings that several pages share. */
import type { ApiKey, Member } from '@postrider/contract/console';
import type { PagedList } from './paging.ts';
import { useRead, useShortList } from './query.ts';
import { useIsOwner } from './workspace.ts';

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
