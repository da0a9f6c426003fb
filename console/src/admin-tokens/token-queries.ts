import type { AdminToken, CreateAdminToken } from '@postrider/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

const pickTokens = ({ admin_tokens }: Answer<'adminTokens.list'>) => admin_tokens;

/** Reads the admin tokens of the workspace, newest first. */
export function useTokens(): PagedList<AdminToken> {
  const { workspace_id: workspace } = useWorkspace();
  return usePagedList({
    queryKey: useQueryKey('admin-tokens'),
    read: (cursor, signal) => askConsole('adminTokens.list', { query: { cursor } }, { workspace, signal }),
    pickItems: pickTokens,
  });
}

/** Creates a token. The result has the token itself, this one time. */
export function useCreateToken() {
  return useTokenChange((workspace, body: CreateAdminToken) =>
    askConsole('adminTokens.create', { body }, { workspace }),
  );
}

/** Revokes the token with an id. */
export function useRevokeToken() {
  return useTokenChange((workspace, id: string) =>
    askConsole('adminTokens.revoke', { params: { id }, body: {} }, { workspace }),
  );
}

function useTokenChange<Input, Result>(change: (workspace: string, input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  const queryKey = useQueryKey('admin-tokens');
  const { workspace_id: workspace } = useWorkspace();
  return useMutation({
    mutationFn: (input: Input) => change(workspace, input),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}
