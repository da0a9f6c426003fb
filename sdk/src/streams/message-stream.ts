import { accepts } from '../accepts.ts';
import type { Caller } from '../calls/call.ts';
import type { Message } from '../generated/types.ts';
import { type MailFilters, MailFollower } from './follow-mail.ts';
import type { After } from './mail-place.ts';
import { ResumableStream } from './resumable-stream.ts';

/** The parameters of `messages.stream`: the filters of `messages.list`, and where to begin. */
export interface StreamMessages extends MailFilters {
  /**
   * Where to begin: after the `cursor` of an earlier stream, after a message or its id, or at a time of the
   * server's clock, such as the `created_at` of the inbox. Default: the moment of the call.
   */
  after?: After | undefined;
  /**
   * Returns whether the stream should return a message. It must not return a promise. Bodies are cut at 64
   * KiB.
   */
  match?: ((message: Message) => boolean) | undefined;
  /** Ends the stream with an `AbortedError` when the signal is aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * A stream of inbound messages as they arrive, once each. A message whose mail a busy server has not parsed
 * yet follows after parsing. The stream ends when the loop over it ends.
 */
export type MessageStream = ResumableStream<Message>;

/** Returns a stream of the inbound messages of a workspace. */
export function streamMessages(
  caller: Caller,
  { after, match, signal, ...filters }: StreamMessages,
): MessageStream {
  return new ResumableStream(signal, async (requests) => {
    const follower = await MailFollower.open(caller, filters, after, requests);
    return {
      get cursor() {
        return follower.cursor;
      },
      async *follow() {
        for await (const { message, passes, isUnread } of follower.follow()) {
          if (passes && !isUnread && accepts(match, message)) yield message;
        }
      },
    };
  });
}
