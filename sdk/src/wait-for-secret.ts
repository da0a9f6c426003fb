import type { Caller } from './call.ts';
import { findCode } from './find-code.ts';
import { findLink, type LinkMatch } from './find-link.ts';
import type { Message } from './generated/types.ts';
import { type WaitForMessage, waitForFound } from './wait-for-message.ts';

/** What `messages.waitForCode` takes. */
export type WaitForCode = WaitForMessage;

/** What `messages.waitForLink` takes. */
export interface WaitForLink extends Omit<WaitForMessage, 'match'> {
  /** Which link is wanted, by its address. Default: one that looks like a confirmation or a sign-in. */
  match?: LinkMatch | undefined;
}

/** A one-time code and the message that has it. */
export interface CodeFound {
  code: string;
  message: Message;
}

/** A link and the message that has it. */
export interface LinkFound {
  url: string;
  message: Message;
}

/** Gives the code of the first message that has one. */
export function waitForCode(caller: Caller, { match, ...params }: WaitForCode): Promise<CodeFound> {
  const find = async (message: Message) => {
    if (match !== undefined && !match(message)) return null;
    const code = await findInWhole(caller, message, params.signal, findCode);
    return code === null ? null : { code, message };
  };
  return waitForFound(caller, params, find, ' with a code');
}

/** Gives the link of the first message that has one. */
export function waitForLink(caller: Caller, { match, ...params }: WaitForLink): Promise<LinkFound> {
  const find = async (message: Message) => {
    const url = await findInWhole(caller, message, params.signal, (whole) => findLink(whole, match));
    return url === null ? null : { url, message };
  };
  return waitForFound(
    caller,
    params,
    find,
    match === undefined ? ' with a confirming link' : ' with a link that passes match',
  );
}

/** Looks into the cut bodies that events have, and into the whole ones only when what is looked for is not there. */
async function findInWhole(
  caller: Caller,
  message: Message,
  signal: AbortSignal | undefined,
  find: (message: Message) => string | null,
): Promise<string | null> {
  const found = find(message);
  if (found !== null || !message.body_truncated) return found;
  return find(await caller.call('messages.get', { id: message.id }, { signal }));
}
