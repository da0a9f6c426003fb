import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Decision, DecisionResult } from '@postrider/contract/console';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useApprovals, useDecide } from './approval-queries.ts';
import { RefuseDialog } from './decision-bar.tsx';
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

const reviewText = approvalsText.review;

interface ReviewBarProps {
  /** How many messages are chosen. */
  count: number;
  /** Whether nothing waits. */
  isEmpty: boolean;
  isPending: boolean;
  onApprove(): void;
  onRefuse(): void;
}

/** The buttons that decide about all chosen messages. */
function ReviewBar({ count, isEmpty, isPending, onApprove, onRefuse }: ReviewBarProps) {
  if (isEmpty) return <Text c="dimmed">{approvalsText.nothingWaits}</Text>;
  return (
    <Group component="section" className="approval-bar" aria-label={approvalText.actions.label} gap="sm">
      <Button
        leftSection={<IconCheck size={16} aria-hidden />}
        disabled={count === 0}
        loading={isPending}
        onClick={onApprove}
      >
        {reviewText.approve(count)}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={16} aria-hidden />}
        disabled={count === 0 || isPending}
        onClick={onRefuse}
      >
        {reviewText.refuse(count)}
      </Button>
      {count === 0 && (
        <Text size="sm" c="dimmed" flex="1 1 200px">
          {reviewText.chooseFirst}
        </Text>
      )}
    </Group>
  );
}
