import { approvalText } from '#strings/approval.ts';
import { useNow } from '../lib/use-now.ts';
import { StatusBadge } from '../parts/status-badge.tsx';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Below this time, an approval is shown as urgent. */
const urgentMs: number = 6 * hourMs;

/** The time for which a message still waits, in words. */
export interface TimeLeft {
  words: string;
  isUrgent: boolean;
}

/** Returns how long a message still waits for its approval. Parts of a unit do not count, so that nobody relies on them. */
export function timeLeft(expiresAt: string, now: number): TimeLeft {
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
