import { DeliveryFailedError, type ListMessages, type Message, type MessagePage } from 'postrider';
import type { CallContext } from '../context.ts';

/** How often the client is told that the wait continues, so that it does not give up. */
const reportMs = 5_000;

/** A page of messages, or the sent message that failed, after which no reply will come. */
export type Waited = MessagePage & { failed?: Message };

/**
 * Returns a page of messages. With `wait_seconds`, the server waits for the first one, and the client is told about the wait. A wait in a
 * thread ends early if its newest message was sent and has failed.
 */
export async function waitForMessages(ctx: CallContext, query: ListMessages): Promise<Waited> {
  const { wait_seconds: seconds = 0, ...now } = query;
  const { messages } = ctx.client;
  if (seconds === 0) return messages.list(now, { signal: ctx.signal });
  const end = new AbortController();
  const signal = AbortSignal.any([ctx.signal, end.signal]);
  const stopReports = reportWait(ctx, seconds);
  try {
    const there = query.thread_id === undefined ? null : await messages.list(now, { signal });
    if (there !== null && there.messages.length > 0) return there;
    const found = messages.list(query, { signal });
    const failure = failureIn(ctx, query, signal);
    return await Promise.race([found, failure]);
  } finally {
    stopReports();
    end.abort();
  }
}

function reportWait(ctx: CallContext, seconds: number): () => void {
  const from = performance.now();
  const report = () => {
    const waited = Math.min(seconds, Math.round((performance.now() - from) / 1_000));
    ctx.reportProgress(waited, seconds, `Waiting for mail, ${seconds - waited} s left`).catch(() => {});
  };
  report();
  const timer = setInterval(report, reportMs);
  return () => clearInterval(timer);
}

/** Resolves once the newest message of the thread was sent and has failed. It does not watch for new mail. */
async function failureIn(
  { client }: CallContext,
  { thread_id, inbox_id, wait_seconds = 0 }: ListMessages,
  signal: AbortSignal,
): Promise<Waited> {
  const never = new Promise<never>(() => {});
  if (thread_id === undefined) return never;
  const wait = { thread_id, inbox_id, match: () => false, timeout: wait_seconds * 1_000 };
  return client.messages.waitFor(wait, { signal }).then(
    () => never,
    (error: unknown) =>
      error instanceof DeliveryFailedError
        ? { messages: [], next_cursor: null, mode_used: 'recent', failed: error.sent }
        : never,
  );
}
