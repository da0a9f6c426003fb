/**
 * Returns how long a `Retry-After` header asks to wait from `now` on, in milliseconds (RFC 9110, section 10.2.3). Returns null if it is
 * missing or cannot be read.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\s*\d{1,9}(\.\d+)?\s*$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}
