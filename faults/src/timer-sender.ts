import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, Postrider } from 'postrider';

/** A deliberately bad sender: it follows the log and keeps its retries in timers of its process. */
export interface TimerSender {
  /** Forgets everything, as a killed process does. */
  crash(): void;
}

const retryMs = 1_000;

/** Starts to send the events that follow from now on. */
export function startTimerSender(client: () => Postrider, url: string): TimerSender {
  const ended = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const send = async (event: Event): Promise<void> => {
    const answer = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(event),
      headers: { 'webhook-id': event.id },
      redirect: 'manual',
      signal: ended.signal,
    }).catch(() => null);
    if (answer?.ok || ended.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void send(event);
    }, retryMs);
    timers.add(timer);
  };
  const follow = async () => {
    let after = 'latest';
    while (!ended.signal.aborted) {
      const page = await client()
        .events.list({ after, limit: 100 })
        .catch(() => null);
      for (const event of page?.events ?? []) void send(event);
      after = page?.next_cursor ?? after;
      await sleep(20);
    }
  };
  void follow();
  return {
    crash: () => {
      ended.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
