import { VisuallyHidden } from '@mantine/core';
import type { Approval, ApprovalSummary, DecideApprovals } from '@postrider/contract/console';
import { useMutation } from '@tanstack/react-query';
import { approvalsText } from '#strings/approvals.ts';
import type { PagedList } from '../lib/paging.ts';
import { itemsIn, useClients, useList, useRead, useRefresh } from '../lib/query.ts';
import { readMatching } from '../lists/read-matching.ts';

/** Which approvals a list has: one state, or all that people have decided about or let expire. */
export type ListedState = ApprovalSummary['state'] | 'over';

const countedMax = 100;
const countAgainMs = 60_000;
/** Below the 15 minutes for which links in a response work. */
const linkMs = 10 * 60_000;
/** No event tells that a relay has taken a message, so the page looks again. */
const leavingMs = 2_000;

/** Reads how many messages wait for approval. With `isMore`, there are more than that. */
export function useHeldCount(): { count: number; isMore: boolean } | undefined {
  const { data } = useRead(
    ['approvals', 'count'],
    ({ ask }) => ask('approvals.list', { query: { state: 'held', limit: countedMax } }),
    {
      // A message that was held just before the stream of changes opened is not told of.
      refetchInterval: countAgainMs,
      select: ({ approvals, next_cursor }) => ({ count: approvals.length, isMore: next_cursor !== null }),
    },
  );
  return data;
}

interface ApprovalFilters {
  state: ListedState;
  /** Empty for all inboxes. */
  inbox: string;
  limit?: number;
  enabled?: boolean;
}

/** Reads the messages that wait or waited for approval, newest first. */
export function useApprovals(filters: ApprovalFilters): PagedList<ApprovalSummary> {
  const { state, inbox, limit = 50, enabled = true } = filters;
  const query = { limit, ...(state !== 'over' && { state }), ...(inbox !== '' && { inbox_id: inbox }) };
  return useList(
    ['approvals', 'list', state, inbox, limit],
    ({ ask }, cursor) =>
      readMatching(
        (from) => itemsIn('approvals', ask('approvals.list', { query: { ...query, cursor: from } })),
        (one) => state !== 'over' || one.state !== 'held',
        cursor,
      ),
    { enabled },
  );
}

/** Reads a message that needs or needed approval, with its whole content. */
export function useApproval(id: string, enabled: boolean = true) {
  return useRead<Approval>(['approval', id], ({ ask }) => ask('approvals.get', { params: { id } }), {
    refetchInterval: ({ state: { data } }) => (data && isLeaving(data) ? leavingMs : linkMs),
    enabled,
  });
}

/** Returns whether a message was approved and has not been with all servers yet. */
function isLeaving({ state, message }: Approval): boolean {
  return state === 'approved' && message.recipients.some(({ status }) => /^(queued|sending)$/.test(status));
}

/** Decides on messages as they were shown. Returns the result of each. */
export function useDecide() {
  const { ask } = useClients();
  const refresh = useRefresh(['approvals', 'approval', 'threads', 'messages']);
  return useMutation({
    mutationFn: async (body: DecideApprovals) => (await ask('approvals.decide', { body })).results,
    onSettled: () => void refresh(),
  });
}

/** The number of messages that wait for approval, for the navigation. Nothing is shown while none do. */
export function HeldCount() {
  const held = useHeldCount();
  if (!held || held.count === 0) return null;
  const { count, isMore } = held;
  return (
    <span className="console-nav-count">
      <span aria-hidden>{isMore ? `${count}+` : count}</span>
      <VisuallyHidden>{approvalsText.waiting(count)}</VisuallyHidden>
    </span>
  );
}
