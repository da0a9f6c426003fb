import type { Disclosure, PolicyIn, PolicyLevel } from '@postrider/contract';
import type { PolicyEntry } from '@postrider/contract/console';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useRefresh } from '../control/control-queries.ts';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

const pickPolicies = ({ policies }: Answer<'control.policies'>) => policies;

/** Reads the policies of inboxes and keys, the one changed last first. */
export function usePolicies(): PagedList<PolicyEntry> {
  const { workspace_id: workspace } = useWorkspace();
  return usePagedList({
    queryKey: useQueryKey('control', 'policies'),
    read: (cursor, signal) =>
      askConsole('control.policies', { query: { cursor, limit: 50 } }, { workspace, signal }),
    pickItems: pickPolicies,
  });
}

/** Reads what holds for what a key sends from an inbox. An empty id is left out. */
export function useEffectivePolicy(inboxId: string, keyId: string, isEnabled = true) {
  const { workspace_id: workspace } = useWorkspace();
  const query = { inbox_id: inboxId || undefined, key_id: keyId || undefined };
  return useQuery({
    queryKey: useQueryKey('control', 'effective', query),
    queryFn: ({ signal }) => askConsole('control.effective', { query }, { workspace, signal }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}

/** Sets the policy of a place, in place of that before. Without lines there is none. */
export function useSetPolicy() {
  const { workspace_id: workspace } = useWorkspace();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ level, id, lines }: { level: PolicyLevel; id: string; lines: PolicyIn }) =>
      askConsole('control.setPolicy', { params: { level, id }, body: { lines } }, { workspace }),
    onSuccess: refresh,
  });
}

/** Sets how recipients are told that an AI wrote a message. */
export function useSetDisclosure() {
  const { workspace_id: workspace } = useWorkspace();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (disclosure: Disclosure) =>
      askConsole('control.setDisclosure', { body: { disclosure } }, { workspace }),
    onSuccess: refresh,
  });
}
