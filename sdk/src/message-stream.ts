import { accepts } from './accepts.ts';
import type { Caller } from './call.ts';
import { type MailFilters, MailFollower } from './follow-mail.ts';
import type { Message } from './generated/types.ts';
import type { After } from './mail-place.ts';
import { ResumableStream } from './resumable-stream.ts';

/** What `messages.stream` takes: the filters of `messages.list`, and where to begin. */
export interface StreamMessages extends MailFilters {
  /**
   * Where to begin: behind the `cursor` of an earlier stream, behind a message or its id, or from a time of the server's clock on,
   * such as the `created_at` of the inbox. Default: the moment of the call.
   */
  after?: After | undefined;
  /** Which messages are given, answered at once; bodies are cut at 64 KiB. */
  match?: ((message: Message) => boolean) | undefined;
  /** Ends the stream with an `AbortedError` when it is aborted. */
  signal?: AbortSignal | undefined;
}

/** Inbound messages as they arrive, each once, until the loop over them is left. */
export type MessageStream = ResumableStream<Message>;

/** Follows the inbound messages of a workspace. */
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
        for await (const { message, passes } of follower.follow()) {
          if (passes && accepts(match, message)) yield message;
        }
      },
    };
  });
}
