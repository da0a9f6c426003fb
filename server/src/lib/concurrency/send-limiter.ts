/*
 * Workspaces take turns when they compose and store large messages. A workspace that uses up its burst at once, with fifty recipients in
 * each request, would otherwise put hundreds of statements before the next one of all others. A small message needs no turn, because many
 * of them at once are stored together in fewer statements. The time that the provider takes does not count.
 */
import { largeSendSlots } from '../admission/server-limits.ts';
import { type Release, Slots } from '../admission/slots.ts';

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
  /** Returns whether a message has to wait for a turn. */
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
