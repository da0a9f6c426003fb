import type { ApiKey } from '@postrider/contract/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';
import type { KeyLimits } from './key-limits.ts';

const pickKeys = ({ keys }: Answer<'keys.list'>) => keys;

/** Reads the API keys of the workspace, newest first. */
export function useKeys(): PagedList<ApiKey> {
  const { workspace_id: workspace } = useWorkspace();
  return usePagedList({
    queryKey: useQueryKey('keys'),
    read: (cursor, signal) => askConsole('keys.list', { query: { cursor } }, { workspace, signal }),
    pickItems: pickKeys,
  });
}

/** Creates a key with a name and limits. The result has the key itself, this one time. */
export function useCreateKey() {
  return useKeyChange((workspace, body: { name: string } & KeyLimits) =>
    askConsole('keys.create', { body }, { workspace }),
  );
}

/** Changes the limits of the key with an id, at once. */
export function useUpdateKey() {
  return useKeyChange((workspace, { id, ...body }: { id: string } & KeyLimits) =>
    askConsole('keys.update', { params: { id }, body }, { workspace }),
  );
}

/** Reads what the key with an id has set up that goes on by itself. */
export function useKeyWorks(id: string, isEnabled: boolean) {
  const { workspace_id: workspace } = useWorkspace();
  return useQuery({
    queryKey: useQueryKey('key-works', id),
    queryFn: ({ signal }) => askConsole('keys.works', { params: { id } }, { workspace, signal }),
    enabled: isEnabled,
    gcTime: 0,
  });
}

/** Revokes the key with an id. What it had set up goes on if `keep` is true. */
export function useRevokeKey() {
  return useKeyChange((workspace, { id, keep }: { id: string; keep: boolean }) =>
    askConsole('keys.revoke', { params: { id }, body: { keep } }, { workspace }),
  );
}

function useKeyChange<Input, Result>(change: (workspace: string, input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  const keys = [
    useQueryKey('keys'),
    useQueryKey('key-names'),
    useQueryKey('control'),
    useQueryKey('webhooks'),
    useQueryKey('drafts'),
  ];
  const { workspace_id: workspace } = useWorkspace();
  return useMutation({
    mutationFn: (input: Input) => change(workspace, input),
    onSuccess: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
