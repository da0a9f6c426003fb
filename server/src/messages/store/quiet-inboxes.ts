/*
 * Remembers which inboxes had received nothing within the window of `answers_at_limit` when they were last asked about. Such an inbox
 * answers nobody, so its sends need not be counted. Mail that this process stores is known at once; mail that another process stores goes
 * unseen for up to 2 seconds, once, because sends do not prolong the time.
 */
import { perServer } from '../../lib/per-server.ts';
import { createRecentMap } from '../../lib/recent-map.ts';

/** The longest time, in milliseconds, for which an inbox counts as quiet without being asked about again. */
export const quietForMsMax = 2_000;
const inboxesMax = 10_000;

/** When an inbox was asked about and had nothing, or when mail for it was last stored here, by `performance.now()`. */
interface Known {
  isQuiet: boolean;
  atMs: number;
}

const knownOf = perServer(() => createRecentMap<Known>(inboxesMax));

type Deps = Parameters<typeof knownOf>[0];

/** Returns whether an inbox had received nothing when it was asked about, at most `forMs` ago. */
export function isQuiet(deps: Deps, inboxId: string, forMs: number): boolean {
  const known = knownOf(deps).get(inboxId);
  return known?.isQuiet === true && performance.now() - known.atMs < forMs;
}

/** Notes that an inbox had received nothing. `askedAtMs` is from before the database was asked, so mail that was stored since then wins. */
export function noteQuiet(deps: Deps, inboxId: string, askedAtMs: number): void {
  const known = knownOf(deps).get(inboxId);
  if (known?.isQuiet === false && known.atMs >= askedAtMs) return;
  knownOf(deps).set(inboxId, { isQuiet: true, atMs: askedAtMs });
}

/** Notes that mail for an inbox was stored, after its transaction. */
export function noteReceived(deps: Deps, inboxId: string): void {
  knownOf(deps).set(inboxId, { isQuiet: false, atMs: performance.now() });
}
