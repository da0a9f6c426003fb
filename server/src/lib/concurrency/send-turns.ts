/*
 * Workspaces take turns when they compose and store large messages. One that uses up its burst at one moment, with fifty
 * recipients in each request, would otherwise put hundreds of statements before the next one of everybody else. A small message
 * goes without a turn, since many of them at once store each other's rows in fewer statements. The time that the provider
 * takes does not count.
 */
import { createFairTurns, restOfTurn } from './fair-turns.ts';

/** Which messages are large, and how many of them are composed and stored at once. */
export const sendTurnLimits: {
  /** More recipients than these, more characters of text and HTML together, or any file make a message large. */
  smallRecipientsMax: number;
  smallTextMax: number;
  atOnceMax: { postgres: number; embedded: number };
  workspaceAtOnceMax: { postgres: number; embedded: number };
} = {
  smallRecipientsMax: 10,
  smallTextMax: 65_536,
  /** On Postgres more than there are connections, so that none of them waits for work; the embedded database has one. */
  atOnceMax: { postgres: 16, embedded: 4 },
  workspaceAtOnceMax: { postgres: 4, embedded: 1 },
};

/** What makes a message large or small. */
export interface MessageSize {
  recipients: unknown[];
  text: string | null;
  html: string | null;
  /** Null where it has no file. */
  attachments: unknown;
}

/** The turns of a process. */
export interface SendTurns {
  /** Composes and stores a message, in the workspace's turn where it is large. */
  run<T>(workspaceId: string, message: MessageSize, store: () => Promise<T>): Promise<T>;
}

/** Makes the turns of a process on a kind of database. */
export const createSendTurns = (kind: keyof typeof sendTurnLimits.atOnceMax): SendTurns => {
  const turns = createFairTurns({
    atOnceMax: () => sendTurnLimits.atOnceMax[kind],
    atOnceOf: () => sendTurnLimits.workspaceAtOnceMax[kind],
    ...(kind === 'embedded' && { rest: restOfTurn }),
  });
  return {
    run: (workspaceId, message, store) => (isLarge(message) ? turns.run(workspaceId, store) : store()),
  };
};

const isLarge = ({ recipients, text, html, attachments }: MessageSize): boolean =>
  recipients.length > sendTurnLimits.smallRecipientsMax ||
  (text?.length ?? 0) + (html?.length ?? 0) > sendTurnLimits.smallTextMax ||
  attachments !== null;
