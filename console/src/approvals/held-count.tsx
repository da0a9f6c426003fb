import { VisuallyHidden } from '@mantine/core';
import { approvalsText } from '#strings/approvals.ts';
import { useHeldCount } from './approval-queries.ts';

/** The number of messages that wait for approval, for the navigation. Nothing is shown while none do. */
export function HeldCount() {
  const held = useHeldCount();
  if (!held || held.count === 0) return null;
  const { count, isMore } = held;
  return (
    <span className="console-nav-count">
      <span aria-hidden>{isMore ? `${count}+` : count}</span>
      <VisuallyHidden>{approvalsText.waiting(count)}</VisuallyHidden>
    </span>
  );
}
