import type { AuditCheck, AuditEntry, Member } from '@postrider/contract/console';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

const pickEntries = ({ entries }: Answer<'workspace.audit'>) => entries;
const nobody: Member[] = [];

/** Reads the audit log, newest first. An empty filter is left out. */
export function useAudit({ action, person }: { action: string; person: string }): PagedList<AuditEntry> {
  const { workspace_id: workspace } = useWorkspace();
  const filters = { action: action || undefined, person_id: person || undefined };
  return usePagedList({
    queryKey: useQueryKey('audit', filters),
    read: (cursor, signal) =>
      askConsole('workspace.audit', { query: { cursor, ...filters } }, { workspace, signal }),
    pickItems: pickEntries,
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

/** Reads whether the log is intact. The server reads all of it for that, so it is not asked again by itself. */
export function useAuditCheck(): UseQueryResult<AuditCheck> {
  const { workspace_id: workspace } = useWorkspace();
  const queryKey = useQueryKey('audit', 'check');
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => askConsole('workspace.auditCheck', {}, { workspace, signal }),
    refetchOnWindowFocus: false,
  });
}

/** Reads the whole log, oldest first, and returns it as JSON Lines. */
export async function readExport(workspace: string): Promise<string> {
  const pages: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Answer<'workspace.auditExport'> = await askConsole(
      'workspace.auditExport',
      { query: { after } },
      { workspace },
    );
    pages.push(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    after = page.next_after;
  }
  return pages.join('');
}
