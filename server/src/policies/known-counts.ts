/*
 * Remembers how many mails count for the caps of an hour and a day, as usage of a plan is remembered: a cap is not reached sooner than all
 * processes together can send up to it. So far below a cap nothing is counted, and near it each send is. Of recipients only those with many mails
 * are remembered, since each mail to them is a row that counting reads.
 */
import { limits } from '@postrider/contract';
import { perServer } from '../lib/per-server.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import type { Cap } from './controls.ts';

const knownForMsMax = 20_000;
/** More than all processes on one database send to in a millisecond. */
const recipientsPerMs = 10;
/** So near to a cap sends take turns: more recipients than sends that are under way at once have. */
export const nearMargin = 100 * limits.recipientsMax;
const capsMax = 20_000;
/** A recipient with at least this number of mails is remembered. */
const manyMails = 1_000;

interface Known {
  sent: number;
  atMs: number;
  isAskedAgain: boolean;
}

const knownOf = perServer(() => createRecentMap<Known>(capsMax));

type Deps = Parameters<typeof knownOf>[0];

/**
 * Returns whether mails have to be counted for a cap. A cap that was counted lately, and that cannot be near by now, is not counted
 * again. When half of this time is over, one send counts for all others, so that they do not all count at its end.
 */
export function hasToBeCounted(deps: Deps, cap: Cap): boolean {
  const known = knownOf(deps).get(nameOf(cap));
  if (!known) return true;
  const room = cap.most - known.sent - nearMargin - limits.recipientsMax;
  const knownForMs = Math.min(knownForMsMax, room / recipientsPerMs);
  const ageMs = performance.now() - known.atMs;
  if (ageMs >= knownForMs) return true;
  if (known.isAskedAgain || ageMs < knownForMs / 2) return false;
  known.isAskedAgain = true;
  return true;
}

/** Keeps what was counted for a send. `askedAtMs` is from before the database was asked. */
export function noteCounts(deps: Deps, counted: Cap[], askedAtMs: number): void {
  for (const cap of counted)
    if (isRemembered(cap))
      knownOf(deps).set(nameOf(cap), { sent: cap.sent, atMs: askedAtMs, isAskedAgain: false });
}

function isRemembered({ kind, sent }: Cap): boolean {
  return kind === 'hour' || kind === 'day' || (kind === 'recipient' && sent >= manyMails);
}

/** With the cap, because no more is counted than that. */
function nameOf({ kind, subject, most }: Cap): string {
  return `${kind} ${most} ${subject}`;
}
