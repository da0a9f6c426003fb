import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './start-server.ts';

const waitMsMax = 60_000;
const pauseMs = 50;
const pageSize = 100;

/**
 * Lists the inbox until it has every mail since `from`, and gives the seconds for which some were missing. Reading tens of
 * thousands of mails takes seconds of its own, which are no delay of the intake: what counts is when the listing that found
 * them all got its first and newest page.
 */
export const untilListed = async (server: Server, from: Date, wanted: number): Promise<number> => {
  const start = performance.now();
  for (;;) {
    const { count, firstPageMs } = await countListed(server, from);
    if (count === wanted) return (firstPageMs - start) / 1_000;
    if (count > wanted || performance.now() - start > waitMsMax)
      throw new Error(`${wanted} mails were acknowledged and ${count} are listed.`);
    await sleep(pauseMs);
  }
};

const countListed = async (server: Server, from: Date): Promise<{ count: number; firstPageMs: number }> => {
  let page = await server.client.messages.list({
    inbox_id: server.inbox.id,
    after: from.toISOString(),
    limit: pageSize,
  });
  const firstPageMs = performance.now();
  let count = page.messages.length;
  while (page.hasNextPage()) {
    page = await page.nextPage();
    count += page.messages.length;
  }
  return { count, firstPageMs };
};
