import type { AuditEntry, Member } from '@postrider/contract/console';
import { useQuery } from '@tanstack/react-query';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

const entriesOf = ({ entries }: Answer<'workspace.audit'>) => entries;
const nobody: Member[] = [];

/** Reads the audit log, newest first. An empty filter is left out. */
export function useAudit({ action, person }: { action: string; person: string }): PagedList<AuditEntry> {
  const { workspace_id: workspace } = useWorkspace();
  const filters = { action: action || undefined, person_id: person || undefined };
  return usePagedList({
    queryKey: useQueryKey('audit', filters),
    read: (cursor, signal) =>
      askConsole('workspace.audit', { query: { cursor, ...filters } }, { workspace, signal }),
    itemsOf: entriesOf,
  });
}

/** Reads the people of the workspace, for their names. */
export function useMemberNames(): Member[] {
  const { workspace_id: workspace } = useWorkspace();
  const queryKey = useQueryKey('members');
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => askConsole('people.members', {}, { workspace, signal }),
  });
  return data?.members ?? nobody;
}
