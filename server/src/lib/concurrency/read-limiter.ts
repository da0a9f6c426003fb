/*
 * Workspaces take turns when they read messages. A read of a hundred large mails occupies the database, memory and the one thread of the
 * process for as long as hundreds of usual requests, and its size is not known in advance. So only a few reads run at once. A workspace has
 * one at a time at first, and then one more for every few responses that were small lately. While its responses are large, it rests after
 * each. A read counts until the client has taken its response, or for two seconds if the client takes it slowly.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { tooManyRequests } from '../rate-limited.ts';
import { createRecentMap } from '../recent-map.ts';
import { createFairLimiter } from './fair-limiter.ts';

/** How many reads of messages run at once. */
export const readLimits = {
  /** More than there are connections, so that no connection waits for work, and more than many slow reads of other workspaces occupy. */
  atOnceMax: 16,
  workspaceAtOnceMax: 6,
  /** How many small responses allow one more read at once. Not fewer, because a few of them may be followed by a burst of large ones. */
  smallAnswersPerRead: 20,
  /** For a workspace whose responses are large, or that has had none lately. */
  workspaceLargeAtOnceMax: 1,
  /** The size in bytes from which a response is large. */
  largeBytes: 524_288,
  /** How long a finished read of such a workspace still counts: a share of the time that it took, at most so many ms. */
  largeRest: { share: 2, msMax: 300 },
  /** How long a workspace counts as one with large responses after each of them; the same for small responses. */
  knownForMs: 30_000,
  /** How long a response that its client takes slowly counts as a read under way. */
  takenWithinMs: 2_000,
  /** How long a read may wait for its turn. */
  waitMsMax: 10_000,
};

/** The wait that is reported for a read that got no turn. */
const comeAgainMs = 2_000;

const workspacesMax = 10_000;

/** The turns of a process for reads of messages. */
export interface ReadLimiter {
  /**
   * Runs `read` when it is the workspace's turn.
   *
   * @throws ApiError `rate_limited` if that takes too long, because the workspace has too many other reads.
   */
  run<T>(workspaceId: string, read: () => Promise<T>): Promise<T>;
  /** Counts the response to a read as under way until the client has taken it, is gone, or takes too long. */
  untilTaken(workspaceId: string, answer: ServerResponse): void;
}

/** Creates the turns of a process. */
export function createReadLimiter(): ReadLimiter {
  const largeUntil = createRecentMap<number>(workspacesMax);
  const small = createRecentMap<{ untilMs: number; answers: number }>(workspacesMax);
  const isLarge = (workspaceId: string): boolean => (largeUntil.get(workspaceId) ?? 0) > performance.now();
  const smallAnswersOf = (workspaceId: string): number => {
    const seen = small.get(workspaceId);
    return !seen || seen.untilMs <= performance.now() || isLarge(workspaceId) ? 0 : seen.answers;
  };
  const note = (workspaceId: string, bytes: number) => {
    const untilMs = performance.now() + readLimits.knownForMs;
    if (bytes >= readLimits.largeBytes) largeUntil.set(workspaceId, untilMs);
    else small.set(workspaceId, { untilMs, answers: smallAnswersOf(workspaceId) + 1 });
  };
  const turns = createFairLimiter({
    atOnceMax: () => readLimits.atOnceMax,
    atOnceOf: (workspaceId) => {
      const more = Math.floor(smallAnswersOf(workspaceId) / readLimits.smallAnswersPerRead);
      return Math.min(readLimits.workspaceLargeAtOnceMax + more, readLimits.workspaceAtOnceMax);
    },
    patience: { msMax: () => readLimits.waitMsMax, error: () => tooManyRequests(comeAgainMs) },
    rest: (tookMs, workspaceId) => {
      const { share, msMax } = readLimits.largeRest;
      return isLarge(workspaceId) ? pause(Math.min(share * tookMs, msMax)) : undefined;
    },
  });
  return {
    run: turns.run,
    untilTaken: (workspaceId, answer) => {
      if (answer.closed) return;
      const release = turns.hold(workspaceId);
      const letGo = () => {
        clearTimeout(timer);
        release();
      };
      const timer = setTimeout(() => {
        answer.off('close', letGo);
        release();
      }, readLimits.takenWithinMs);
      answer.once('prefinish', () => note(workspaceId, Number(answer.getHeader('content-length'))));
      answer.once('close', letGo);
    },
  };
}
