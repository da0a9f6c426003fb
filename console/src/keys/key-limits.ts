import type { ApiKey } from '@postrider/contract/console';

/** The limits that people set for a key. */
export type KeyLimits = Pick<ApiKey, 'inbox_ids' | 'read_only' | 'expires_at' | 'policy'>;

/** The limits of a key that may do everything. */
export const noLimits: KeyLimits = { inbox_ids: null, read_only: false, expires_at: null, policy: {} };

/** The lists that show keys, or what keys have set up: a change of a key has them read again. */
export const keyLists = ['keys', 'key-names', 'control', 'webhooks', 'drafts'];

const dayMs = 24 * 60 * 60_000;
/** The time before its end in which a key is shown as one that expires soon. */
const soonMs = 7 * dayMs;

/** Returns the limits of a key. */
export function pickLimits({ inbox_ids, read_only, expires_at, policy }: ApiKey): KeyLimits {
  return { inbox_ids, read_only, expires_at, policy };
}

/** Returns whether a key is refused because its time is over, will be within a week, or neither. */
export function judgeExpiry(
  { expires_at }: Pick<ApiKey, 'expires_at'>,
  now: number,
): 'over' | 'soon' | 'later' {
  if (expires_at === null) return 'later';
  const leftMs = Date.parse(expires_at) - now;
  if (leftMs <= 0) return 'over';
  return leftMs <= soonMs ? 'soon' : 'later';
}

/** Returns the time that is some days from now. */
export function inDays(days: number, now: number): string {
  return new Date(now + days * dayMs).toISOString();
}
