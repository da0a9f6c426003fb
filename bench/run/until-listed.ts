import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Server } from './start-server.ts';

const waitSecondsMax = 120;
const pauseMs = 100;
const pageSize = 100;

/**
 * Waits until the inbox lists every mail since `from`, and gives the seconds for which some were missing. Listing tens of
 * thousands of mails over and over would slow down the server that is still filing them, so the rows are counted until they are
 * all there, and then listed once; what counts is when they were there.
 */
export const untilListed = async (server: Server, from: Date, wanted: number): Promise<number> => {
  const start = performance.now();
  const client = new pg.Client({ connectionString: server.databaseUrl ?? '' });
  await client.connect();
  try {
    for (;;) {
      const stored = await countRows(client, server, from);
      const seconds = (performance.now() - start) / 1_000;
      const listed = stored < wanted ? stored : await countListed(server, from);
      if (listed === wanted) return seconds;
      if (listed > wanted || seconds > waitSecondsMax)
        throw new Error(`${wanted} mails were acknowledged and ${listed} are listed.`);
      await sleep(pauseMs);
    }
  } finally {
    await client.end();
  }
};

const countRows = async (client: pg.Client, server: Server, from: Date): Promise<number> => {
  const query = 'select count(*)::int as count from messages where inbox_id = $1 and created_at >= $2';
  const { rows } = await client.query(query, [server.inbox.id, from]);
  return rows[0].count;
};

const countListed = async (server: Server, from: Date): Promise<number> => {
  const query = { inbox_id: server.inbox.id, after: from.toISOString(), limit: pageSize };
  let page = await server.client.messages.list(query);
  let count = page.messages.length;
  while (page.hasNextPage()) {
    page = await page.nextPage();
    count += page.messages.length;
  }
  return count;
};
