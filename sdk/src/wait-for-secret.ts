import { accepts } from './accepts.ts';
import type { Caller } from './call.ts';
import type { LinkMatch } from './find-link.ts';
import type { Message } from './generated/types.ts';
import { isLoopback } from './loopback.ts';
import type { PersistentRequests } from './persistent-requests.ts';
import { type Find, type WaitForMessage, waitForFound } from './wait-for-message.ts';
import { type WaitLimits, WaitTime } from './wait-time.ts';

/** What `messages.waitForCode` takes. */
export interface WaitForCode extends WaitForMessage {
  /**
   * What the code looks like: the first match in subject or text is the code, or its first group where there is one. Default: what
   * stands near a word that announces a code.
   */
  pattern?: RegExp | undefined;
}

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

/** Gives the code of the first message that has one; of those that are there already, of the newest. */
export async function waitForCode(
  caller: Caller,
  { match, pattern, ...params }: WaitForCode,
  limits: WaitLimits,
): Promise<CodeFound> {
  const find: Find<CodeFound> = async (message, requests) => {
    if (!accepts(match, message)) return null;
    const { findCode } = await import('./find-secret.ts');
    const code = findCode(await wholeOf(caller, message, requests), pattern);
    return code === null ? null : { code, message };
  };
  const what = pattern === undefined ? ' with a code' : ` with a code like ${pattern}`;
  const time = new WaitTime(params, limits);
  return waitForFound(caller, params, find, { time, what, prefersNewest: true });
}

/** Gives the link of the first message that has one; of those that are there already, of the newest. */
export async function waitForLink(
  caller: Caller,
  { match, ...params }: WaitForLink,
  limits: WaitLimits,
): Promise<LinkFound> {
  const allowsLocal = isLocal(caller.baseURL);
  const find: Find<LinkFound> = async (message, requests) => {
    const { findLink } = await import('./find-secret.ts');
    const url = findLink(await wholeOf(caller, message, requests), { match, allowsLocal });
    return url === null ? null : { url, message };
  };
  const what = match === undefined ? ' with a confirming link' : ' with a link that passes match';
  const time = new WaitTime(params, limits);
  return waitForFound(caller, params, find, { time, what, prefersNewest: true });
}

/** Whether a server is on this machine, where the mail of a site under development has links to this machine too. */
function isLocal(baseURL: string): boolean {
  return isLoopback(new URL(baseURL).hostname);
}

/** The message with its whole bodies: those that events have are cut, and what stands at the cut would be too. */
async function wholeOf(caller: Caller, message: Message, requests: PersistentRequests): Promise<Message> {
  if (!message.body_truncated) return message;
  return requests.make((options) => caller.call('messages.get', { id: message.id }, options));
}
