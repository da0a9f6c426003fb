import { Box, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Approval, DecisionResult } from '@postrider/contract/console';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ListFrame } from '../parts/list-frame.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { describeSender } from './approval-people.tsx';
import { useApproval, useApprovals, useDecide } from './approval-queries.tsx';
import { Outcome, TimeLeftBadge } from './approval-state.tsx';
import { hints, type MadeDecision, RefuseDialog } from './decision-bar.tsx';
import { useDisplay } from './use-display.ts';
import { WorkspaceApproval } from './workspace-approval.tsx';

const back = { to: '/approvals', label: approvalText.back };
/** Each is read whole, with its files. */
const readAtOnce = 5;

/** The page that shows several waiting messages in full, one below the other, and decides about those that are chosen. */
export function ReviewPage() {
  const inbox = useSearchParams()[0].get('inbox') ?? '';
  const list = useApprovals({ state: 'held', inbox, limit: readAtOnce });
  const shown = useKept(list.items.map(({ message_id }) => message_id));
  const { chosen, choose, results, decide, isPending, error } = useChoices();
  return (
    <Box maw={860}>
      <PageHeader title={approvalsText.review.title} about={approvalsText.review.about} back={back} />
      <Stack gap="lg">
        <ListFrame
          list={{ ...list, items: shown }}
          empty={<EmptyState {...approvalsText.review.empty} picture="done" />}
        >
          {shown.map((id) => (
            <ReviewItem
              key={id}
              id={id}
              isChosen={chosen.has(id)}
              result={results.get(id) ?? null}
              onChoose={(hash) => choose(id, hash)}
            />
          ))}
        </ListFrame>
        {error && <ApiProblem error={error} />}
        {shown.length > 0 && <ReviewBar count={chosen.size} isPending={isPending} onDecide={decide} />}
      </Stack>
    </Box>
  );
}

/** Keeps what was shown in place: deciding on one message does not move the others. */
function useKept(ids: string[]): string[] {
  const [kept, setKept] = useState<string[]>([]);
  const fresh = ids.filter((id) => !kept.includes(id));
  if (fresh.length === 0) return kept;
  // Newer ones come first in the list, but last here, below the message that somebody is reading.
  const next = [...kept, ...fresh];
  setKept(next);
  return next;
}

/** Keeps the selected messages, with the hash of what was shown, and the results of decisions. */
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
  function decide(made: MadeDecision) {
    const messages = [...chosen].map(([message_id, content_hash]) => ({ message_id, content_hash }));
    mutate(
      { ...made, messages },
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

function ReviewBar(props: { count: number; isPending: boolean; onDecide(made: MadeDecision): void }) {
  const { count, isPending, onDecide } = props;
  const [isRefusing, { open, close }] = useDisclosure(false);
  return (
    <Group component="section" className="approval-bar" aria-label={approvalText.actions.label} gap="sm">
      <Button
        leftSection={<IconCheck size={16} aria-hidden />}
        disabled={count === 0}
        loading={isPending}
        onClick={() => onDecide({ decision: 'approve' })}
      >
        {reviewText.approve(count)}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={16} aria-hidden />}
        disabled={count === 0 || isPending}
        onClick={open}
      >
        {reviewText.refuse(count)}
      </Button>
      {count === 0 && (
        <Text variant="note" flex="1 1 200px">
          {reviewText.chooseFirst}
        </Text>
      )}
      <RefuseDialog isOpen={isRefusing} count={count} onClose={close} onRefuse={onDecide} />
    </Group>
  );
}

interface ReviewItemProps {
  id: string;
  isChosen: boolean;
  result: DecisionResult | null;
  /** Called with the hash of what is shown; null if it is no longer selected. */
  onChoose(hash: string | null): void;
}

/** A waiting message among several, in full. It can be chosen once all of it is shown. */
function ReviewItem(props: ReviewItemProps) {
  const { data: approval, error, refetch } = useApproval(props.id);
  if (approval === undefined && error) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (approval === undefined) return <Skeleton height={360} />;
  return <OpenItem {...props} key={approval.content_hash} approval={approval} />;
}

function OpenItem({ approval, isChosen, result, onChoose }: ReviewItemProps & { approval: Approval }) {
  const display = useDisplay(approval);
  const { state, content_hash, expires_at } = approval;
  const subject = approval.message.subject || approvalText.noSubject;
  const isOpen = state === 'held' && (result === null || result.state === 'held');
  return (
    <Paper component="article" withBorder p="md" aria-label={subject}>
      <div className="approval-item-head">
        {isOpen && (
          <input
            type="checkbox"
            className="approval-check"
            aria-label={approvalsText.review.choose(subject)}
            checked={isChosen}
            disabled={display.obstacleAmongOthers !== null}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked ? content_hash : null)}
          />
        )}
        <div>
          <Title order={2}>{subject}</Title>
          <Text c="dimmed" mt={2} mb={8}>
            {describeSender(approval)}
          </Text>
        </div>
        {isOpen && <TimeLeftBadge expiresAt={expires_at} />}
      </div>
      <Outcome summary={approval} result={result} />
      {isOpen && display.obstacleAmongOthers !== null && display.obstacleAmongOthers !== 'loading' && (
        <Text component="div" c="dimmed" mt={2} mb={8}>
          {hints[display.obstacleAmongOthers]}
          {display.showAgain && (
            <Button size="compact-xs" variant="default" ml="xs" onClick={display.showAgain}>
              {approvalText.actions.showAgain}
            </Button>
          )}
        </Text>
      )}
      <WorkspaceApproval approval={approval} display={display} />
    </Paper>
  );
}
