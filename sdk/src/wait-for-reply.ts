import type { Caller } from './call.ts';
import type { Message, SendReceipt } from './generated/types.ts';
import { type WaitOptions, waitForMessage } from './wait-for-message.ts';

/** What `messages.waitForReply` takes beside the message that was sent. */
export interface WaitForReply extends WaitOptions {
  /** Whether an automatic reply counts, such as an absence note. Default: false. */
  automatic?: boolean | undefined;
  /** Whether a reply is the one that is waited for. */
  match?: ((message: Message) => boolean) | undefined;
}

/** Gives the first reply in the thread of a message, also when it came before the call. */
export async function waitForReply(
  caller: Caller,
  sent: Pick<SendReceipt, 'id'>,
  { automatic = false, match = () => true, ...options }: WaitForReply,
): Promise<Message> {
  const { signal } = options;
  const { inbox_id, thread_id, message_id, created_at } = await caller.call(
    'messages.get',
    { id: sent.id },
    { signal },
  );
  return waitForMessage(caller, {
    // A thread that was merged into another is still found by its id.
    inbox_id,
    thread_id,
    after: created_at,
    ...options,
    // A message to oneself arrives in its own thread.
    match: (message) =>
      (automatic || !message.auto_submitted) && message.message_id !== message_id && match(message),
  });
}
