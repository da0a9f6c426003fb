import { Button, Paper, Skeleton, Title } from '@mantine/core';
import type { Approval, DecisionResult } from '@postrider/contract/console';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { useApproval } from './approval-queries.ts';
import { hints } from './decision-bar.tsx';
import { describeSender } from './describe-people.ts';
import { Outcome } from './outcome.tsx';
import { TimeLeftBadge } from './time-left.tsx';
import { useDisplay } from './use-display.ts';
import { WorkspaceApproval } from './workspace-approval.tsx';

interface ReviewItemProps {
  id: string;
  isChosen: boolean;
  /** The result of the person's decision about it. */
  result: DecisionResult | null;
  /** Called with the hash of what is shown; null if it is no longer chosen. */
  onChoose(hash: string | null): void;
}

/** A waiting message among several, in full. It can be chosen once all of it is shown. */
export function ReviewItem(props: ReviewItemProps) {
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
          <p className="approval-sender">{describeSender(approval)}</p>
        </div>
        {isOpen && <TimeLeftBadge expiresAt={expires_at} />}
      </div>
      <Outcome summary={approval} result={result} />
      {isOpen && display.obstacleAmongOthers !== null && display.obstacleAmongOthers !== 'loading' && (
        <p className="approval-sender">
          {hints[display.obstacleAmongOthers]}
          {display.showAgain && (
            <Button size="compact-xs" variant="default" ml="xs" onClick={display.showAgain}>
              {approvalText.actions.showAgain}
            </Button>
          )}
        </p>
      )}
      <WorkspaceApproval approval={approval} display={display} />
    </Paper>
  );
}
