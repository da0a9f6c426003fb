import { Alert } from '@mantine/core';
import type { ApprovalSummary } from '@postrider/contract/console';
import type { Message } from 'postrider';
import { Link } from 'react-router';
import { messageText } from '#strings/message.ts';
import { useApproval } from '../../approvals/approval-queries.ts';
import { approvalPath } from '../../lib/mail-paths.ts';

const text = messageText.approval;

/** Says that a message waits for approval, or who refused it and why. */
export function ApprovalNote({ message: { id, delivery_status } }: { message: Message }) {
  const isHeld = delivery_status === 'held';
  const { data: approval } = useApproval(id, !isHeld);
  if (!isHeld && approval === undefined) return null;
  return (
    <Alert
      role="note"
      color={isHeld ? 'yellow' : 'gray'}
      variant="light"
      p="xs"
      mb="sm"
      className="console-warning"
    >
      {approval === undefined ? text.held : describeEnding(approval)}{' '}
      <Link to={approvalPath(id)} className="message-note-link">
        {isHeld ? text.open : text.show}
      </Link>
    </Alert>
  );
}

function describeEnding({ state, decided_by, reason }: ApprovalSummary): string {
  if (state === 'expired') return text.expired;
  const by = decided_by?.name ?? text.operator;
  return reason === null ? text.refusedSilently(by) : text.refused(by, reason);
}
