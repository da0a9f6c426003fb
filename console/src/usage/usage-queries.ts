import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { askConsole } from '../lib/ask-console.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

/** Reads what was counted on each of the last days, oldest first. The days before are shown until the new ones are there. */
export function useUsageDays(days: number) {
  const { workspace_id: workspace } = useWorkspace();
  return useQuery({
    queryKey: useQueryKey('usage', 'days', days),
    queryFn: ({ signal }) => askConsole('records.usage', { query: { days } }, { workspace, signal }),
    select: (answer) => answer.days,
    placeholderData: keepPreviousData,
  });
}
