import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';

const text = approvalsText.review;

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
export function ReviewBar({ count, isEmpty, isPending, onApprove, onRefuse }: ReviewBarProps) {
  if (isEmpty) return <Text c="dimmed">{approvalsText.nothingWaits}</Text>;
  return (
    <Group component="section" className="approval-bar" aria-label={approvalText.actions.label} gap="sm">
      <Button
        leftSection={<IconCheck size={16} aria-hidden />}
        disabled={count === 0}
        loading={isPending}
        onClick={onApprove}
      >
        {text.approve(count)}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={16} aria-hidden />}
        disabled={count === 0 || isPending}
        onClick={onRefuse}
      >
        {text.refuse(count)}
      </Button>
      {count === 0 && (
        <Text size="sm" c="dimmed" flex="1 1 200px">
          {text.chooseFirst}
        </Text>
      )}
    </Group>
  );
}
