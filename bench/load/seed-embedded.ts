/* Writes mails with numbers into the embedded database of a server that is stopped, and into its search. */
import type pg from 'pg';
import { countMails } from '../run/search-numbers.ts';
import { dropIndexes, makeBuckets, settleTables } from '../run/search-tables.ts';
import type { EmbeddedSeed } from './mail-seed.ts';
import { writeMails } from './write-mails.ts';

interface EmbeddedModule {
  openEmbedded(location: {
    dataDir: string;
  }): Promise<{ Client: new () => pg.Client; close(): Promise<void> }>;
}

const { dataDir, mails } = JSON.parse(process.argv[2] ?? '{}') as EmbeddedSeed;
const { openEmbedded }: EmbeddedModule = await import(`${mails.serverFolder}/server/src/db/embedded.ts`);
const database = await openEmbedded({ dataDir });
const client = new database.Client();
await client.connect();
const indexes = await dropIndexes(client);
const counts = countMails(mails.to);
for (const [place, workspace] of mails.workspaces.entries())
  workspace.buckets = await makeBuckets(client, workspace.id, counts[place]!, mails.bucketMessages);
await writeMails(client, null, mails);
await settleTables(client, indexes);
await client.end();
await database.close();
console.log(JSON.stringify({ written: mails.to }));
