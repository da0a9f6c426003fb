import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Server } from './start-server.ts';

const waitSecondsMax = 120;
const pauseMs = 100;
const pageSize = 100;

/**
 * Waits until the inbox lists every mail since `from`, and returns the seconds until the spool was empty. Listing or counting tens of
 * thousands of mails over and over would slow down the server that is still filing them. Therefore it checks the spool until no mail waits
 * there, and lists the mails only then.
 */
export async function untilListed(server: Server, from: Date, wanted: number): Promise<number> {
  const start = performance.now();
  const client = new pg.Client({ connectionString: server.databaseUrl ?? '' });
  await client.connect();
  try {
    for (;;) {
      const isFiled = await isSpoolEmpty(client);
      const seconds = (performance.now() - start) / 1_000;
      const listed = isFiled ? await countListed(server, from) : 0;
      if (listed === wanted) return seconds;
      if (listed > wanted || seconds > waitSecondsMax)
        throw new Error(`${wanted} mails were acknowledged and ${listed} are listed.`);
      await sleep(pauseMs);
    }
  } finally {
    await client.end();
  }
}

async function isSpoolEmpty(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from spooled_mail limit 1');
  return rowCount === 0;
}

async function countListed(server: Server, from: Date): Promise<number> {
  const query = { inbox_id: server.inbox.id, after: from.toISOString(), limit: pageSize };
  let page = await server.client.messages.list(query);
  let count = page.messages.length;
  while (page.hasNextPage()) {
    page = await page.nextPage();
    count += page.messages.length;
  }
  return count;
}
