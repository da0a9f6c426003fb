import type { Caller } from './call.ts';
import { findCode } from './find-code.ts';
import { findLink, type LinkMatch } from './find-link.ts';
import type { Message } from './generated/types.ts';
import type { PersistentRequests } from './persistent-requests.ts';
import { type Find, type WaitForMessage, waitForFound } from './wait-for-message.ts';

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
  const find: Find<CodeFound> = async (message, requests) => {
    if (match !== undefined && !match(message)) return null;
    const code = findCode(await wholeOf(caller, message, requests));
    return code === null ? null : { code, message };
  };
  return waitForFound(caller, params, find, ' with a code');
}

/** Gives the link of the first message that has one. */
export function waitForLink(caller: Caller, { match, ...params }: WaitForLink): Promise<LinkFound> {
  const find: Find<LinkFound> = async (message, requests) => {
    const url = findLink(await wholeOf(caller, message, requests), match);
    return url === null ? null : { url, message };
  };
  return waitForFound(
    caller,
    params,
    find,
    match === undefined ? ' with a confirming link' : ' with a link that passes match',
  );
}

/** The message with its whole bodies: those that events have are cut, and what stands at the cut would be too. */
async function wholeOf(caller: Caller, message: Message, requests: PersistentRequests): Promise<Message> {
  if (!message.body_truncated) return message;
  return requests.make((options) => caller.call('messages.get', { id: message.id }, options));
}
