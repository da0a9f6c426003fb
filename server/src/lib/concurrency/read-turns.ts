/*
 * Workspaces take turns when they read messages. A read of a hundred large mails takes the database, memory and the one thread of the
 * process for as long as hundreds of usual requests, and its size is not known before it is made. So only a few reads are made at
 * once. A workspace has one at a time until its answers were seen to be small lately, and then one more for each few of these; while
 * they are large, it rests after each. A read counts until the client has taken its answer, or for two seconds if the client takes it
 * slowly.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { tooManyRequests } from '../rate-limited.ts';
import { createRecentMap } from '../recent-map.ts';
import { createFairTurns, restOfTurn } from './fair-turns.ts';

/** How many reads of messages are made at once. */
export const readLimits = {
  /** More than there are connections, so that none of them waits for work, and more than many slow reads of others take. */
  atOnceMax: { postgres: 16, embedded: 10 },
  workspaceAtOnceMax: { postgres: 6, embedded: 2 },
  /** How many small answers a further read at once takes: a few of them may be followed by a burst of large ones. */
  smallAnswersPerRead: 20,
  /** Of one whose answers are large, or that has not had any lately. */
  workspaceLargeAtOnceMax: 1,
  /** From how many bytes on an answer is large. */
  largeBytes: 524_288,
  /** How long a read of such a workspace still counts once it is done: by how long it took, and at most in ms. */
  largeRest: { share: 2, msMax: 300 },
  /** How long a workspace counts as one of large answers after each of them, and as one of small answers. */
  knownForMs: 30_000,
  /** How long an answer that its client takes slowly counts as a read under way. */
  takenWithinMs: 2_000,
  /** How long a read may wait for its turn. */
  waitMsMax: 10_000,
};

/** When a read that had no turn is told to come again. */
const comeAgainMs = 2_000;

const workspacesMax = 10_000;

/** The reads of messages of a process. */
export interface ReadTurns {
  /**
   * Reads once it is the workspace's turn.
   *
   * @throws ApiError `rate_limited` when that takes too long, because so much else of the workspace is being read.
   */
  run<T>(workspaceId: string, read: () => Promise<T>): Promise<T>;
  /** Counts the answer to what was read as under way until the client has taken it, is gone, or takes its time. */
  untilTaken(workspaceId: string, answer: ServerResponse): void;
}

/** Makes the turns of a process on a kind of database. */
export const createReadTurns = (kind: keyof typeof readLimits.atOnceMax): ReadTurns => {
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
  const turns = createFairTurns({
    atOnceMax: () => readLimits.atOnceMax[kind],
    atOnceOf: (workspaceId) => {
      const more = Math.floor(smallAnswersOf(workspaceId) / readLimits.smallAnswersPerRead);
      return Math.min(readLimits.workspaceLargeAtOnceMax + more, readLimits.workspaceAtOnceMax[kind]);
    },
    patience: { msMax: () => readLimits.waitMsMax, error: () => tooManyRequests(comeAgainMs) },
    rest: (tookMs, workspaceId) => {
      const { share, msMax } = readLimits.largeRest;
      if (isLarge(workspaceId)) return pause(Math.min(share * tookMs, msMax));
      return kind === 'embedded' ? restOfTurn(tookMs) : undefined;
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
};
