import { Alert, Text } from '@mantine/core';
import type { ApprovalSummary, DecisionResult } from '@postrider/contract/console';
import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { approvalText } from '#strings/approval.ts';
import { shortTime } from '../lib/times.ts';

const looks = {
  approved: { color: 'pine', Icon: IconCheck },
  refused: { color: 'gray', Icon: IconX },
  expired: { color: 'gray', Icon: IconClock },
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
  const { color, Icon } = problem === null && state !== 'held' ? looks[state] : failed;
  return (
    <Alert
      ref={shown}
      tabIndex={-1}
      role="status"
      color={color}
      variant="light"
      icon={<Icon aria-hidden />}
      className="console-warning"
    >
      {problem !== null && <Text fw={500}>{approvalText.problems[problem]}</Text>}
      {problem === null && isOwn && state !== 'held' && <OwnDecision state={state} result={result} />}
      {(!isOwn || problem === 'decided') && <Ending summary={summary} />}
      {children}
    </Alert>
  );
}

const failed = { color: 'yellow', Icon: IconAlertTriangle };

function OwnDecision({
  state,
  result,
}: {
  state: 'approved' | 'refused' | 'expired';
  result: DecisionResult | null;
}) {
  const leftOut = result?.left_out.map(({ address }) => address) ?? [];
  return (
    <>
      <Text fw={500}>{state === 'approved' ? approvalText.done.approved : approvalText.done.refused}</Text>
      {leftOut.length > 0 && <Text>{approvalText.done.leftOut(leftOut.join(', '))}</Text>}
    </>
  );
}

/** The person who decided, the time and the reason. */
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
