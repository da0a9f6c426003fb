import type { ListMessages, MessagePage } from 'postrider';
import type { CallContext } from '../context.ts';

/** How often the client hears that the wait goes on, so that it does not give up. */
const reportMs = 5_000;

/** Returns a page of messages. With `wait_seconds` the server waits for the first one, and the client is told of the wait. */
export async function waitForMessages(ctx: CallContext, query: ListMessages): Promise<MessagePage> {
  const seconds = query.wait_seconds ?? 0;
  const call = () => ctx.client.messages.list(query, { signal: ctx.signal });
  if (seconds === 0) return call();
  const from = performance.now();
  const report = () => {
    const waited = Math.min(seconds, Math.round((performance.now() - from) / 1_000));
    ctx.reportProgress(waited, seconds, `Waiting for mail, ${seconds - waited} s left`).catch(() => {});
  };
  report();
  const timer = setInterval(report, reportMs);
  try {
    return await call();
  } finally {
    clearInterval(timer);
  }
}
