import type { HonestClient } from './requests.ts';

const everyMs = 150;

/** Reads single messages, threads and lists, a few a second. Returns a function that stops it. */
export function startHonestReads(
  client: HonestClient,
  known: { inboxId: string; messageId: string; threadId: string },
): () => void {
  const paths = [
    `/messages/${known.messageId}`,
    `/threads/${known.threadId}`,
    `/messages?inbox_id=${known.inboxId}&limit=25`,
    `/threads?inbox_id=${known.inboxId}&limit=25`,
    '/messages?from=sender.example&limit=10',
    '/account',
  ];
  let number = 0;
  const timer = setInterval(
    () => void client.request('GET', paths[number++ % paths.length] as string),
    everyMs,
  );
  return () => clearInterval(timer);
}
