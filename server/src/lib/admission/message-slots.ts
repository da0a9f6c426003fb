/*
 * Workspaces take turns when they read messages. A read of a hundred large mails occupies the database, memory and the one thread of the
 * process for as long as hundreds of usual requests, and its size is not known in advance. Only a few reads therefore run at once. A
 * workspace has one at a time at first, and then one more for every few recent small responses. While its responses are large, it rests
 * after each. A read counts until the client has read its response, or for two seconds if the client reads it slowly.
 *
 * They also take turns when they compose and store large messages. Otherwise a workspace that uses up its burst at once, with fifty
 * recipients in each request, would put hundreds of statements ahead of those of all others. A small message needs no turn, because many
 * of them at once are stored together in fewer statements. The time that the provider takes does not count.
 */
import type { ServerResponse } from 'node:http';
import { tooManyRequests } from '../api-error.ts';
import { createRecentMap } from '../memory.ts';
import { largeSendSlots, readSlots } from './server-limits.ts';
import { type Release, Slots } from './slots.ts';

/** Which workspaces have more than one read at once. */
export const readLimits = {
  /** How many small responses allow one more read at once. Not fewer, because a few of them may be followed by a burst of large ones. */
  smallAnswersPerRead: 20,
  /** For a workspace whose responses are large, or that has had none lately. */
  workspaceLargeAtOnceMax: 1,
  /** The size in bytes from which a response is large. */
  largeBytes: 524_288,
  /** The time for which a workspace counts as one with large responses after each of them; the same for small responses. */
  knownForMs: 30_000,
  /** The time for which a response that its client reads slowly counts as a read in progress. */
  takenWithinMs: 2_000,
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
  /** Counts the response to a read as in progress until the client has read it, disconnects, or takes too long. */
  untilTaken(workspaceId: string, answer: ServerResponse): void;
}

/** Creates the turns of a process. */
export function createReadLimiter(): ReadLimiter {
  const largeUntil = createRecentMap<number>(workspacesMax);
  const small = createRecentMap<{ untilMs: number; answers: number }>(workspacesMax);
  const isLarge = (workspaceId: string): boolean => (largeUntil.get(workspaceId) ?? 0) > performance.now();
  const recentSmallAnswers = (workspaceId: string): number => {
    const seen = small.get(workspaceId);
    return !seen || seen.untilMs <= performance.now() || isLarge(workspaceId) ? 0 : seen.answers;
  };
  const note = (workspaceId: string, bytes: number) => {
    const untilMs = performance.now() + readLimits.knownForMs;
    if (bytes >= readLimits.largeBytes) largeUntil.set(workspaceId, untilMs);
    else small.set(workspaceId, { untilMs, answers: recentSmallAnswers(workspaceId) + 1 });
  };
  const slots = new Slots(readSlots, {
    ofOwner: (workspaceId) => {
      const more = Math.floor(recentSmallAnswers(workspaceId) / readLimits.smallAnswersPerRead);
      return Math.min(readLimits.workspaceLargeAtOnceMax + more, readSlots.ofOwner);
    },
    rests: isLarge,
    refusal: () => tooManyRequests(comeAgainMs),
  });
  return {
    run: (workspaceId, read) => slots.run(workspaceId, read),
    untilTaken: (workspaceId, answer) => {
      if (answer.closed) return;
      const release = slots.linger(workspaceId);
      let timer: NodeJS.Timeout | undefined;
      answer.on('prefinish', () => {
        note(workspaceId, Number(answer.getHeader('content-length')));
        // The system took a usual response at once, and then its end follows at once.
        if (answer.writableLength > 0) timer = setTimeout(release, readLimits.takenWithinMs);
      });
      answer.on('close', () => {
        clearTimeout(timer);
        release();
      });
    },
  };
}

/** A message is large if it has more recipients, more characters of text and HTML together, or any file. */
export const sendLimits = { smallRecipientsMax: 10, smallTextMax: 65_536 };

/** The parts of a message that make it large or small. */
export interface MessageSize {
  recipients: unknown[];
  text: string | null;
  html: string | null;
  /** Null if it has no file. */
  attachments: unknown;
}

/** The turns of a process. */
export interface SendLimiter {
  /** Returns whether a message must wait for a turn. */
  takesTurns(message: MessageSize): boolean;
  /** Waits for the workspace's turn, and returns what ends it. A small message needs none. */
  takeTurn(workspaceId: string, message: MessageSize): Promise<Release>;
}

/** Creates the turns of a process. */
export function createSendLimiter(): SendLimiter {
  const slots = new Slots(largeSendSlots);
  return {
    takesTurns: isLarge,
    takeTurn: async (workspaceId, message) => (isLarge(message) ? slots.take(workspaceId, 1) : noTurn),
  };
}

const noTurn: Release = () => {};

function isLarge({ recipients, text, html, attachments }: MessageSize): boolean {
  return (
    recipients.length > sendLimits.smallRecipientsMax ||
    (text?.length ?? 0) + (html?.length ?? 0) > sendLimits.smallTextMax ||
    attachments !== null
  );
}
