/*
 * Remembers how many mails count for the caps of an hour and a day, as usage of a plan is remembered: a cap is not reached sooner than all
 * processes together can send up to it. So far below a cap nothing is counted, and near it each send is.
 */
import { limits } from '@postrider/contract';
import { perServer } from '../lib/per-server.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import type { PolicyInForce } from './decide-sending.ts';

/** Mails of an hour and of a day that count for the caps of a workspace, an inbox or a key. */
interface Counts {
  hour: number;
  day: number;
}

const knownForMsMax = 1_000;
/** More than all processes on one database send to in a millisecond. */
const recipientsPerMs = 10;
/** So near to a cap sends take turns: more recipients than sends that are under way at once have. */
export const nearMargin = 100 * limits.recipientsMax;
const subjectsMax = 10_000;

const knownOf = perServer(() => createRecentMap<Counts & { atMs: number }>(subjectsMax));

type Deps = Parameters<typeof knownOf>[0];

/** Returns, of those subjects whose counts were read lately, the highest that these can be by now. */
export function countsAtMost(deps: Deps, subjects: string[]): Record<string, Counts> {
  const nowMs = performance.now();
  const bounds = subjects.flatMap((subject) => {
    const known = knownOf(deps).get(subject);
    const ageMs = known ? nowMs - known.atMs : Number.POSITIVE_INFINITY;
    if (!known || ageMs > knownForMsMax) return [];
    const more = nearMargin + limits.recipientsMax + Math.ceil(ageMs * recipientsPerMs);
    return [[subject, { hour: known.hour + more, day: known.day + more }] as const];
  });
  return Object.fromEntries(bounds);
}

/** Keeps the counts that were read for a send. `askedAtMs` is from before the database was asked. */
export function noteCounts(deps: Deps, policies: PolicyInForce[], askedAtMs: number): void {
  for (const { subject, hour, day } of policies)
    if (hour !== null || day !== null)
      knownOf(deps).set(subject, {
        hour: hour ?? Number.POSITIVE_INFINITY,
        day: day ?? Number.POSITIVE_INFINITY,
        atMs: askedAtMs,
      });
}
