import type { MailDecision } from '@postrider/contract/console';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

const pickDecisions = ({ decisions }: Answer<'records.decisions'>) => decisions;

/** No change tells of a mail that was refused, so the log is read again. */
const askAgainEvery = () => 10_000;

/** Which decisions to read. */
export interface DecisionFilters {
  query?: string;
  verdict?: MailDecision['verdict'];
  inbox_id?: string;
}

/** Reads the decisions on mail for the workspace, newest first. */
export function useDecisions(filters: DecisionFilters): PagedList<MailDecision> {
  const { workspace_id: workspace } = useWorkspace();
  return usePagedList({
    queryKey: useQueryKey('decisions', filters),
    read: (cursor, signal) =>
      askConsole('records.decisions', { query: { ...filters, cursor } }, { workspace, signal }),
    pickItems: pickDecisions,
    refetchMs: askAgainEvery,
  });
}
