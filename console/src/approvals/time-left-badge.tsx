import { useNow } from '../lib/use-now.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { timeLeft } from './time-left.ts';

/** How long a message still waits for approval, in orange if little time is left. */
export function TimeLeftBadge({ expiresAt }: { expiresAt: string }) {
  const { words, isUrgent } = timeLeft(expiresAt, useNow());
  return <StatusBadge tone={isUrgent ? 'urgent' : 'quiet'}>{words}</StatusBadge>;
}
