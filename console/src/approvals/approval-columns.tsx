import { Box, Text } from '@mantine/core';
import type { ApprovalSummary } from '@postrider/contract/console';
import { IconPaperclip } from '@tabler/icons-react';
import { Link } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';
import { approvalPath } from '../lib/mail-paths.ts';
import { formatDay } from '../lib/times.ts';
import type { Column } from '../parts/data-table.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { TimeLeftBadge } from './approval-state.tsx';

const { columns: headers } = approvalsText;
const namesMax = 2;
const tones: Record<ApprovalSummary['state'], Tone> = {
  held: 'waiting',
  approved: 'good',
  refused: 'bad',
  expired: 'quiet',
};

const shared: Column<ApprovalSummary>[] = [
  { header: headers.message, cell: (approval) => <MessageCell approval={approval} /> },
  { header: headers.sender, width: '28%', cell: (approval) => <SenderCell approval={approval} /> },
];

/** The columns of messages that wait. */
export const heldColumns: Column<ApprovalSummary>[] = [
  ...shared,
  {
    header: headers.left,
    width: '130px',
    inCorner: true,
    cell: ({ expires_at }) => <TimeLeftBadge expiresAt={expires_at} />,
  },
];

/** The columns of messages that people have decided about. */
export const decidedColumns: Column<ApprovalSummary>[] = [
  ...shared,
  {
    header: headers.state,
    width: '24%',
    isPlain: true,
    cell: ({ state, decided_at, decided_by, reason }) => (
      <>
        <StatusBadge tone={tones[state]}>{approvalText.states[state]}</StatusBadge>
        {state !== 'expired' && decided_at !== null && (
          <Text c="dimmed">
            {decided_by?.name ?? approvalText.outcome.operator}, <Time value={decided_at} />
          </Text>
        )}
        {reason !== null && <Text>{reason}</Text>}
      </>
    ),
  },
];

function MessageCell({ approval }: { approval: ApprovalSummary }) {
  const { message_id, subject, snippet, to, cc, bcc, attachments, answers } = approval;
  const all = [...to, ...cc, ...bcc];
  const more = all.length - namesMax;
  return (
    <>
      <Link to={approvalPath(message_id)} className="console-link" data-clamped>
        {subject || approvalText.noSubject}
      </Link>
      <Text>
        {approvalsText.to(all.slice(0, namesMax).join(', '))} {more > 0 && approvalsText.more(more)}
        {attachments > 0 && (
          <IconPaperclip size={14} role="img" aria-label={approvalsText.files(attachments)} />
        )}
      </Text>
      <Text c="dimmed" lineClamp={1}>
        {snippet}
      </Text>
      {answers !== null && (
        <Text c="dimmed" lineClamp={1}>
          {approvalText.answers(answers.from_name || answers.from_addr, formatDay(answers.created_at))}
        </Text>
      )}
    </>
  );
}

/** The agent that wants to send, and its inbox, a line each: names are cut, not broken. */
function SenderCell({ approval: { key, writer, inbox_address } }: { approval: ApprovalSummary }) {
  const name = key?.name ?? approvalsText.person;
  return (
    <Box miw={0}>
      <Text truncate title={name}>
        {name}
      </Text>
      {writer !== null && (
        <Text truncate title={writer.name}>
          {approvalsText.writtenBy(writer.name)}
        </Text>
      )}
      <Text c="dimmed" truncate title={inbox_address}>
        {inbox_address}
      </Text>
    </Box>
  );
}
