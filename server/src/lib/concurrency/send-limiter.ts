/*
 * Workspaces take turns when they compose and store large messages. A workspace that uses up its burst at once, with fifty recipients in
 * each request, would otherwise put hundreds of statements before the next one of all others. A small message needs no turn, because many
 * of them at once are stored together in fewer statements. The time that the provider takes does not count.
 */
import { createFairLimiter, restOfTurn } from './fair-limiter.ts';

/** Which messages are large, and how many of them are composed and stored at once. */
export const sendLimits: {
  /** A message is large if it has more recipients than this, more characters of text and HTML together than `smallTextMax`, or any file. */
  smallRecipientsMax: number;
  smallTextMax: number;
  atOnceMax: { postgres: number; embedded: number };
  workspaceAtOnceMax: { postgres: number; embedded: number };
} = {
  smallRecipientsMax: 10,
  smallTextMax: 65_536,
  /** On Postgres more than there are connections, so that no connection waits for work. The embedded database has one connection. */
  atOnceMax: { postgres: 16, embedded: 4 },
  workspaceAtOnceMax: { postgres: 4, embedded: 1 },
};

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
  /** Returns whether a message has to wait for a turn. */
  takesTurns(message: MessageSize): boolean;
  /** Composes and stores a message; a large one in the workspace's turn. */
  run<T>(workspaceId: string, message: MessageSize, store: () => Promise<T>): Promise<T>;
}

/** Creates the turns of a process for a kind of database. */
export function createSendLimiter(kind: keyof typeof sendLimits.atOnceMax): SendLimiter {
  const turns = createFairLimiter({
    atOnceMax: () => sendLimits.atOnceMax[kind],
    atOnceOf: () => sendLimits.workspaceAtOnceMax[kind],
    ...(kind === 'embedded' && { rest: restOfTurn }),
  });
  return {
    takesTurns: isLarge,
    run: (workspaceId, message, store) => (isLarge(message) ? turns.run(workspaceId, store) : store()),
  };
}

function isLarge({ recipients, text, html, attachments }: MessageSize): boolean {
  return (
    recipients.length > sendLimits.smallRecipientsMax ||
    (text?.length ?? 0) + (html?.length ?? 0) > sendLimits.smallTextMax ||
    attachments !== null
  );
}
