import { Alert, Text } from '@mantine/core';
import type { ApprovalSummary, DecisionResult } from '@postrider/contract/console';
import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { approvalText } from '#strings/approval.ts';
import { shortTime, useNow } from '../lib/times.ts';
import { StatusBadge } from '../parts/status-badge.tsx';

const looks = {
  approved: { color: 'pine', Icon: IconCheck },
  refused: { color: 'gray', Icon: IconX },
  expired: { color: 'gray', Icon: IconClock },
  problem: { color: 'yellow', Icon: IconAlertTriangle },
};

interface OutcomeProps {
  summary: Pick<ApprovalSummary, 'state' | 'decided_at' | 'decided_by' | 'reason'>;
  /** The result of the person's own decision a moment ago. */
  result?: DecisionResult | null;
  children?: ReactNode;
}

/** How an approval ended, and why a decision did not count; nothing while it waits. */
export function Outcome({ summary, result = null, children }: OutcomeProps) {
  const shown = useRef<HTMLDivElement>(null);
  const isOwn = result !== null;
  useEffect(() => {
    // The button that had the focus no longer exists.
    if (isOwn) shown.current?.focus();
  }, [isOwn]);
  const state = result?.state ?? summary.state;
  const problem = result?.problem ?? null;
  if (state === 'held' && problem === null) return null;
  const { color, Icon } = looks[problem === null && state !== 'held' ? state : 'problem'];
  return (
    <Alert
      ref={shown}
      tabIndex={-1}
      role="status"
      color={color}
      icon={<Icon aria-hidden />}
      className="console-warning"
    >
      {problem !== null && <Text fw={500}>{approvalText.problems[problem]}</Text>}
      {problem === null && isOwn && <OwnDecision result={result} />}
      {(!isOwn || problem === 'decided') && <Ending summary={summary} />}
      {children}
    </Alert>
  );
}

function OwnDecision({ result: { state, left_out } }: { result: DecisionResult }) {
  const { approved, refused, leftOut } = approvalText.done;
  return (
    <>
      <Text fw={500}>{state === 'approved' ? approved : refused}</Text>
      {left_out.length > 0 && <Text>{leftOut(left_out.map(({ address }) => address).join(', '))}</Text>}
    </>
  );
}

function Ending({ summary: { state, decided_at, decided_by, reason } }: Pick<OutcomeProps, 'summary'>) {
  const { outcome } = approvalText;
  if (state === 'expired') return <Text>{outcome.expired}</Text>;
  if (state === 'held') return null;
  return (
    <>
      <Text fw={500}>
        {outcome[state](decided_by?.name ?? outcome.operator, shortTime(decided_at ?? ''))}
      </Text>
      {reason !== null && <Text>{outcome.reason(reason)}</Text>}
    </>
  );
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const urgentMs = 6 * hourMs;

/** Returns how long a message still waits for its approval. Parts of a unit do not count, so that nobody relies on them. */
export function timeLeft(expiresAt: string, now: number): { words: string; isUrgent: boolean } {
  const ms = Date.parse(expiresAt) - now;
  return { words: timeText(ms), isUrgent: ms < urgentMs };
}

function timeText(ms: number): string {
  const { days, hours, minutes, over } = approvalText.left;
  if (ms <= 0) return over;
  if (ms >= 2 * dayMs) return days(Math.floor(ms / dayMs));
  return ms >= hourMs ? hours(Math.floor(ms / hourMs)) : minutes(Math.max(1, Math.floor(ms / minuteMs)));
}

/** How long a message still waits for approval, in orange if little time is left. */
export function TimeLeftBadge({ expiresAt }: { expiresAt: string }) {
  const { words, isUrgent } = timeLeft(expiresAt, useNow());
  return <StatusBadge tone={isUrgent ? 'urgent' : 'quiet'}>{words}</StatusBadge>;
}
