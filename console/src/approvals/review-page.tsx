import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Decision, DecisionResult } from '@postrider/contract/console';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useApprovals, useDecide } from './approval-queries.ts';
import { RefuseDialog } from './refuse-dialog.tsx';
import { ReviewBar } from './review-bar.tsx';
import { ReviewItem } from './review-item.tsx';

const back = { to: '/approvals', label: approvalText.back };
/** Each is read whole, with its files. */
const readAtOnce = 5;

/** The page that shows several waiting messages in full, one below the other, and decides about those that are chosen. */
export function ReviewPage() {
  const inbox = useSearchParams()[0].get('inbox') ?? '';
  const list = useApprovals({ state: 'held', inbox, limit: readAtOnce });
  const shown = useKept(list.items.map(({ message_id }) => message_id));
  const { chosen, choose, results, decide, isPending, error } = useChoices();
  const [isRefusing, { open, close }] = useDisclosure(false);
  return (
    <div className="approval-page">
      <PageHeader title={approvalsText.review.title} about={approvalsText.review.about} back={back} />
      <Stack gap="lg">
        {list.error !== null && <ApiProblem error={list.error} onRetry={list.retry} />}
        {shown.map((id) => (
          <ReviewItem
            key={id}
            id={id}
            isChosen={chosen.has(id)}
            result={results.get(id) ?? null}
            onChoose={(hash) => choose(id, hash)}
          />
        ))}
        <LoadMore list={list} />
        {error && <ApiProblem error={error} />}
        <ReviewBar
          count={chosen.size}
          isEmpty={!list.isLoading && shown.length === 0}
          isPending={isPending}
          onApprove={() => decide('approve')}
          onRefuse={open}
        />
      </Stack>
      <RefuseDialog
        isOpen={isRefusing}
        count={chosen.size}
        onClose={close}
        onRefuse={(reason) => decide('refuse', reason)}
      />
    </div>
  );
}

/** Keeps what was shown in its place: a message that somebody decides about does not make the others move. */
function useKept(ids: string[]): string[] {
  const [kept, setKept] = useState<string[]>([]);
  const fresh = ids.filter((id) => !kept.includes(id));
  if (fresh.length === 0) return kept;
  // Newer ones come first in the list, and here last, below what somebody reads.
  const next = [...kept, ...fresh];
  setKept(next);
  return next;
}

/** Keeps which messages are chosen, with the hash of what was shown, and what came of decisions. */
function useChoices() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [results, setResults] = useState<ReadonlyMap<string, DecisionResult>>(new Map());
  const { mutate, isPending, error } = useDecide();
  function choose(id: string, hash: string | null) {
    const next = new Map(chosen);
    if (hash === null) next.delete(id);
    else next.set(id, hash);
    setChosen(next);
  }
  function decide(decision: Decision, reason = '') {
    const messages = [...chosen].map(([message_id, content_hash]) => ({ message_id, content_hash }));
    mutate(
      { decision, messages, ...(reason !== '' && { reason }) },
      {
        onSuccess: (came) => {
          setResults((before) => new Map([...before, ...came.map((one) => [one.message_id, one] as const)]));
          setChosen(new Map());
        },
      },
    );
  }
  return { chosen, choose, results, decide, isPending, error };
}
