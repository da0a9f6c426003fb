import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';
import { useQueryKey } from './workspace.ts';

/** No change says that usage has grown. */
const askAgainMs = 60_000;

/** Reads the workspace with its plan, limits and usage, and once a minute again while it is shown. */
export function useAccount() {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('usage', 'account'),
    queryFn: ({ signal }) => api.account.get({ signal }),
    refetchInterval: askAgainMs,
  });
}
