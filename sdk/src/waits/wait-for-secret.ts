import { accepts } from '../accepts.ts';
import type { Caller } from '../calls/call.ts';
import type { Message } from '../generated/types.ts';
import { isLoopback } from '../loopback.ts';
import type { PersistentRequests } from '../streams/persistent-requests.ts';
import type { LinkMatch } from './find-link.ts';
import { type Find, type WaitForMessage, waitForFound } from './wait-for-message.ts';
import { type WaitLimits, WaitTime } from './wait-time.ts';

/** The parameters of `messages.waitForCode`. */
export interface WaitForCode extends WaitForMessage {
  /**
   * The pattern of the code. The code is the first match in subject or text, or the first group of that match
   * if there is one. Default: digits or capitals near a word that announces a code.
   */
  pattern?: RegExp | undefined;
}

/** The parameters of `messages.waitForLink`. */
export interface WaitForLink extends Omit<WaitForMessage, 'match'> {
  /** Selects a link by its address. Default: one that looks like a confirmation or a sign-in. */
  match?: LinkMatch | undefined;
}

/** A one-time code and its message. */
export interface CodeFound {
  code: string;
  message: Message;
}

/** A link and its message. */
export interface LinkFound {
  url: string;
  message: Message;
}

/** Returns the code of the first message that has one. Of earlier messages, the newest one counts. */
export async function waitForCode(
  caller: Caller,
  { match, pattern, ...params }: WaitForCode,
  limits: WaitLimits,
): Promise<CodeFound> {
  const find: Find<CodeFound> = async (message, requests) => {
    if (!accepts(match, message)) return null;
    const { findCode } = await import('./find-secret.ts');
    const code = findCode(await readWhole(caller, message, requests), pattern);
    return code === null ? null : { code, message };
  };
  const what = pattern === undefined ? ' with a code' : ` with a code like ${pattern}`;
  const time = new WaitTime(params, limits);
  return waitForFound(caller, params, find, { time, what, prefersNewest: true, takesHeader: true });
}

/** Returns the link of the first message that has one. Of earlier messages, the newest one counts. */
export async function waitForLink(
  caller: Caller,
  { match, ...params }: WaitForLink,
  limits: WaitLimits,
): Promise<LinkFound> {
  const allowsLocal = isLocal(caller.baseURL);
  const find: Find<LinkFound> = async (message, requests) => {
    const { findLink } = await import('./find-secret.ts');
    const url = findLink(await readWhole(caller, message, requests), { match, allowsLocal });
    return url === null ? null : { url, message };
  };
  const what = match === undefined ? ' with a confirmation link' : ' with a link that passes match';
  const time = new WaitTime(params, limits);
  return waitForFound(caller, params, find, { time, what, prefersNewest: true, takesHeader: true });
}

/**
 * Returns whether the server is on this machine. If so, mail of a site under development may have links to
 * this machine.
 */
function isLocal(baseURL: string): boolean {
  return isLoopback(new URL(baseURL).hostname);
}

/**
 * Returns the message with its whole bodies. The bodies in events are cut, possibly in the middle of a code
 * or link.
 */
async function readWhole(caller: Caller, message: Message, requests: PersistentRequests): Promise<Message> {
  if (!message.body_truncated) return message;
  return requests.make((options) => caller.call('messages.get', { id: message.id }, options));
}
