import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';
import { useQueryKey } from './workspace.ts';

/** Reads the workspace with its plan, limits and usage. It is read again when events come. */
export function useAccount() {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('usage', 'account'),
    queryFn: ({ signal }) => api.account.get({ signal }),
  });
}
