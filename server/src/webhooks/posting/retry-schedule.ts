import { limits } from '@postrider/contract';
import type { TimeScale } from '../../lib/clock.ts';

/** A failed attempt. */
export interface FailedAttempt {
  /** The number of attempts, including this one. */
  attempted: number;
  endedAt: Date;
  /** The `Retry-After` header of the response. */
  retryAfter: string | null;
  timeScale: TimeScale;
  /** From 0 to 1. */
  random: number;
}

const delays = limits.webhookRetryDelaysMs;
const longestMs = Math.max(...delays);

/**
 * Returns the time of the next attempt; null after the last one. The wait is that of the schedule, give or take a tenth. A receiver can
 * ask for a longer one, up to the longest of the schedule.
 */
export function nextAttemptAt(failed: FailedAttempt): Date | null {
  const { attempted, endedAt, timeScale, random } = failed;
  const delayMs = delays[attempted];
  if (delayMs === undefined) return null;
  const jitter = 1 + limits.webhookRetryJitter * (2 * random - 1);
  const askedMs = Math.min(readRetryAfter(failed.retryAfter, endedAt), longestMs);
  return timeScale.after(endedAt, Math.max(delayMs * jitter, askedMs));
}

/** Returns the milliseconds that a `Retry-After` asks for, in seconds or as a date (RFC 9110, section 10.2.3); 0 if it is missing. */
function readRetryAfter(text: string | null, now: Date): number {
  const value = text?.trim() ?? '';
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1_000;
  // Otherwise a number that is no count of seconds would be read as a year.
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
