import type { ApiKey } from '@postrider/contract/console';
import { useQuery } from '@tanstack/react-query';
import { askConsole } from './ask-console.ts';
import { useIsOwner, useQueryKey, useWorkspace } from './workspace.ts';

const noKeys: ApiKey[] = [];

/** Reads the names of the newest keys. Only owners see them; for members there are none. */
export function useKeyNames(): ApiKey[] {
  const { workspace_id: workspace } = useWorkspace();
  const { data } = useQuery({
    queryKey: useQueryKey('key-names'),
    queryFn: async ({ signal }) => {
      const { keys } = await askConsole('keys.list', { query: { limit: 100 } }, { workspace, signal });
      return keys;
    },
    enabled: useIsOwner(),
    staleTime: 60_000,
  });
  return data ?? noKeys;
}
