/*
 * Writes mails with numbers into the tables of a server, into those of its search, and into those of the naive search. It is a process of
 * its own, because the words of a million mails keep a processor busy for minutes.
 */
import pg from 'pg';
import type { PostgresSeed } from './mail-seed.ts';
import { writeMails } from './write-mails.ts';

const { databaseUrl, naiveUrl, mails } = JSON.parse(process.argv[2] ?? '{}') as PostgresSeed;
const [client, naive] = await Promise.all([
  connect(databaseUrl),
  naiveUrl === null ? null : connect(naiveUrl),
]);
await writeMails(client, naive, mails);
await Promise.all([client.end(), naive?.end()]);
console.log(JSON.stringify({ written: mails.to - mails.from }));

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('set synchronous_commit = off; set jit = off');
  return client;
}
