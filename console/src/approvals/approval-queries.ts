import type { Approval, ApprovalSummary, DecideApprovals, DecisionResult } from '@postrider/contract/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { type ItemPage, readMatching } from '../lib/read-matching.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

/** Which approvals a list has: one state, or all that people have decided about or let expire. */
export type ListedState = ApprovalSummary['state'] | 'over';

const countedMax = 100;
const countAgainMs = 60_000;
/** Below the 15 minutes for which links in a response work. */
const linkMs = 10 * 60_000;
/** No event tells that a relay has taken a message, so the page looks again. */
const leavingMs = 2_000;

/** How many messages wait. With `isMore`, there are more than that. */
export interface HeldCount {
  count: number;
  isMore: boolean;
}

/** Reads how many messages wait for approval. */
export function useHeldCount(): HeldCount | undefined {
  const { workspace_id: workspace } = useWorkspace();
  const { data } = useQuery({
    queryKey: useQueryKey('approvals', 'count'),
    queryFn: ({ signal }) =>
      askConsole('approvals.list', { query: { state: 'held', limit: countedMax } }, { workspace, signal }),
    // A message that was held just before the stream of changes opened is not told of.
    refetchInterval: countAgainMs,
    select: ({ approvals, next_cursor }) => ({ count: approvals.length, isMore: next_cursor !== null }),
  });
  return data;
}

const pickItems = ({ items }: ItemPage<ApprovalSummary>) => items;

interface ApprovalFilters {
  state: ListedState;
  /** Empty for all inboxes. */
  inbox: string;
  /** How many are read at once. */
  limit?: number;
  enabled?: boolean;
}

/** Reads the messages that wait or waited for approval, newest first. */
export function useApprovals({
  state,
  inbox,
  limit = 50,
  enabled = true,
}: ApprovalFilters): PagedList<ApprovalSummary> {
  const { workspace_id: workspace } = useWorkspace();
  const asked = { limit, ...(state !== 'over' && { state }), ...(inbox !== '' && { inbox_id: inbox }) };
  return usePagedList({
    queryKey: useQueryKey('approvals', 'list', state, inbox, limit),
    read: (cursor, signal) =>
      readMatching(
        async (from): Promise<ItemPage<ApprovalSummary>> => {
          const query = { ...asked, ...(from !== undefined && { cursor: from }) };
          const page = await askConsole('approvals.list', { query }, { workspace, signal });
          return { items: page.approvals, next_cursor: page.next_cursor };
        },
        (one) => state !== 'over' || one.state !== 'held',
        cursor,
      ),
    pickItems,
    enabled,
  });
}

/** Reads a message that waits or waited for approval, with all that would go out. */
export function useApproval(id: string, enabled: boolean = true) {
  const { workspace_id: workspace } = useWorkspace();
  return useQuery<Approval>({
    queryKey: useQueryKey('approval', id),
    queryFn: ({ signal }) => askConsole('approvals.get', { params: { id } }, { workspace, signal }),
    refetchInterval: ({ state: { data } }) => (data && isLeaving(data) ? leavingMs : linkMs),
    enabled,
  });
}

/** Returns whether a message was approved and has not been with all servers yet. */
function isLeaving({ state, message }: Approval): boolean {
  return state === 'approved' && message.recipients.some(({ status }) => /^(queued|sending)$/.test(status));
}

/** Decides about messages as they were shown. Returns what came of each. */
export function useDecide() {
  const { workspace_id: workspace } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: DecideApprovals): Promise<DecisionResult[]> => {
      const answer: Answer<'approvals.decide'> = await askConsole(
        'approvals.decide',
        { body },
        { workspace },
      );
      return answer.results;
    },
    onSettled: () => {
      for (const name of ['approvals', 'approval', 'threads', 'messages'])
        void queries.invalidateQueries({ queryKey: [workspace, name] });
    },
  });
}
