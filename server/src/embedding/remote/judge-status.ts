import { systemClock } from '../../lib/clock.ts';
import { parseRetryAfter } from './retry-after.ts';

/** Why there are no vectors. */
export type Rejection =
  /** The service works and does not take these texts. */
  | { kind: 'refused'; problem: string }
  /** `mayPass` says whether the same request may succeed later. */
  | { kind: 'failed'; problem: string; mayPass: boolean; retryAfterMs: number | null };

const refusals = new Set([400, 413, 422]);
const passing = new Set([408, 409, 425, 429]);

/** Returns what a status other than 200 means. `detail` is what the body says of it, and ends a sentence. */
export function judgeStatus(status: number, retryAfter: string | undefined, detail: string): Rejection {
  if (refusals.has(status)) return { kind: 'refused', problem: `Status ${status}${detail}` };
  const failed = (problem: string) =>
    ({ kind: 'failed', problem, mayPass: false, retryAfterMs: null }) as const;
  // The service's message about a wrong key may quote the key.
  if (status === 401 || status === 403) return failed(`Status ${status}: the key was not accepted.`);
  if (status === 404) return failed(`Status 404${detail} Check the URL and the name of the model.`);
  if (status < 500 && !passing.has(status)) return failed(`Status ${status}${detail}`);
  const retryAfterMs = parseRetryAfter(retryAfter, systemClock.now());
  return { ...failed(`Status ${status}${detail}`), mayPass: true, retryAfterMs };
}
