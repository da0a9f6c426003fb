import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { Link, useParams } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { approvalPath, threadPath } from '../lib/mail-paths.ts';
import { RecipientStory } from '../mail/message/message-facts.tsx';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageSkeleton } from '../parts/list-frame.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { describeSender } from './approval-people.tsx';
import { useApproval, useApprovals, useDecide } from './approval-queries.tsx';
import { Outcome, TimeLeftBadge } from './approval-state.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { useDisplay } from './use-display.ts';
import { WorkspaceApproval } from './workspace-approval.tsx';

const back = { to: '/approvals', label: approvalText.back };

/** The page of a message that waits or waited for approval. */
export function ApprovalPage() {
  const { id = '' } = useParams();
  const { data: approval, error, refetch } = useApproval(id);
  if (approval === undefined && error) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (approval === undefined) return <PageSkeleton />;
  // Another content has to be read again.
  return <OpenApproval key={approval.content_hash} approval={approval} />;
}

function OpenApproval({ approval }: { approval: Approval }) {
  const { message_id, content_hash, message, state } = approval;
  const display = useDisplay(approval);
  const decide = useDecide();
  const result = decide.data?.[0] ?? null;
  const isOpen = state === 'held' && (result === null || result.state === 'held');
  return (
    <Box maw={860}>
      <PageHeader
        title={message.subject || approvalText.noSubject}
        about={describeSender(approval)}
        back={back}
      />
      <Stack gap="md">
        {isOpen && (
          <Group gap="xs">
            <TimeLeftBadge expiresAt={approval.expires_at} />
            <Text variant="note">
              {approvalText.held} <Time value={approval.held_at} />
            </Text>
          </Group>
        )}
        <Outcome summary={approval} result={result}>
          {!isOpen && <WhatNext approval={approval} />}
        </Outcome>
        {decide.error && <ApiProblem error={decide.error} />}
        {state === 'approved' && (
          <Paper withBorder p="md">
            <RecipientStory message={message} />
          </Paper>
        )}
        <Paper withBorder p="md">
          <WorkspaceApproval approval={approval} display={display} />
        </Paper>
        <DecisionBar
          display={display}
          isPending={decide.isPending}
          isShown={isOpen}
          onDecide={(made) => decide.mutate({ ...made, messages: [{ message_id, content_hash }] })}
        />
      </Stack>
    </Box>
  );
}

function WhatNext({ approval: { message_id, thread_id } }: { approval: Approval }) {
  const { items } = useApprovals({ state: 'held', inbox: '' });
  const next = items.find((one) => one.message_id !== message_id);
  return (
    <Group gap="xs" mt="xs">
      {next && (
        <Button component={Link} to={approvalPath(next.message_id)} size="xs">
          {approvalText.done.next}
        </Button>
      )}
      <Button component={Link} to="/approvals" size="xs" variant="default">
        {approvalText.done.all}
      </Button>
      <Button component={Link} to={threadPath(thread_id, message_id)} size="xs" variant="default">
        {approvalText.openThread}
      </Button>
    </Group>
  );
}
