import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeKey, ownCheckout } from '@postrider/testkit/servers/server-process.ts';
import pg from 'pg';
import { Postrider } from 'postrider';
import { finishNaive, makeNaive } from '../baselines/naive-search.ts';
import { bucketMessages, type MailSeed, type SeededWorkspace, secondsApart } from '../load/mail-seed.ts';
import type { Bench } from './group.ts';
import { runScript } from './program.ts';
import { countMails, inboxesEach, mailsFor, placesCount } from './search-numbers.ts';
import { dropIndexes, indexAgain, makeBuckets, settleTables } from './search-tables.ts';
import { runSql } from './start-express.ts';
import { type Server, startServer } from './start-server.ts';

/** A server with mails that can be searched. */
export interface SearchedServer {
  server: Server;
  databaseUrl: string;
  origin: string;
  /** The keys of the workspaces, and the workspaces, by place. */
  keys: string[];
  workspaces: SeededWorkspace[];
  /** How many mails there are in all workspaces. */
  mails: number;
}

const checkedMessages = 300;

/**
 * Starts a server on Postgres with `bench.messages` messages in its largest workspace, and fills a database of the naive search with them.
 */
export async function startSearched(
  bench: Bench,
  { naiveUrl = null }: { naiveUrl?: string | null } = {},
): Promise<SearchedServer> {
  const databaseUrl = await bench.postgres.createDatabase();
  const { server, ...searched } = await startEmpty(bench, databaseUrl);
  await server.stop();
  if (naiveUrl !== null) await runSql(naiveUrl, [makeNaive]);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const counts = countMails(searched.mails);
  for (const [place, workspace] of searched.workspaces.entries())
    workspace.buckets = await makeBuckets(client, workspace.id, counts[place]!, bucketMessages);
  const indexes = await dropIndexes(client);
  await seed(bench, databaseUrl, naiveUrl, makeSeed(bench, searched, bucketMessages));
  bench.progress('building the indexes');
  await client.query("set maintenance_work_mem = '1GB'");
  await Promise.all([settleTables(client, indexes), naiveUrl !== null && runSql(naiveUrl, finishNaive)]);
  const started = await server.start();
  const changed = await indexAgain(client, checkedMessages);
  if (changed.length > 0)
    throw new Error(`The server indexes ${changed.length} messages otherwise, such as ${changed[0]}.`);
  await client.end();
  return { ...searched, server: started, databaseUrl, origin: started.origin };
}

async function startEmpty(bench: Bench, databaseUrl: string) {
  const moreKeys = Array.from({ length: placesCount - 2 }, makeKey);
  const server = await startServer(bench, databaseUrl, {}, moreKeys);
  const { origin } = server;
  const keys = [server.key, server.otherKey, ...moreKeys];
  const workspaces: SeededWorkspace[] = [];
  for (const key of keys) workspaces.push(await makeWorkspace(origin, key));
  return { server, origin, keys, workspaces, mails: mailsFor(bench.messages) };
}

async function makeWorkspace(origin: string, apiKey: string): Promise<SeededWorkspace> {
  const client = new Postrider({ apiKey, baseURL: `${origin}/v1` });
  const { workspace } = await client.account.get();
  const inboxes: SeededWorkspace['inboxes'] = [];
  for (let made = 0; made < inboxesEach; made++) {
    const localPart = `search${made}-${randomBytes(4).toString('hex')}`;
    const { id, address } = await client.inboxes.create({ local_part: localPart });
    inboxes.push({ id, address });
  }
  return { id: workspace.id, inboxes, buckets: [] };
}

function makeSeed(
  bench: Bench,
  { workspaces, mails }: Pick<SearchedServer, 'workspaces' | 'mails'>,
  messagesEach: number,
): MailSeed {
  const firstTime = Date.now() - mails * secondsApart * 1_000;
  return {
    seed: bench.seed,
    bucketMessages: messagesEach,
    firstTime,
    workspaces,
    from: 0,
    to: mails,
  };
}

/** Writes the mails from as many processes as there are cores. Each writes neighbours, as they came. */
async function seed(
  bench: Bench,
  databaseUrl: string,
  naiveUrl: string | null,
  whole: MailSeed,
): Promise<void> {
  const start = performance.now();
  const processes = cpus().length;
  const each = Math.ceil(whole.to / processes);
  const parts = Array.from({ length: processes }, (_, at) => ({
    databaseUrl,
    naiveUrl,
    // Only older checkouts read the folder.
    mails: {
      ...whole,
      serverFolder: bench.serverFolder,
      from: at * each,
      to: Math.min(whole.to, (at + 1) * each),
    },
  }));
  bench.progress(`seeding ${whole.to} mails`);
  // Each server has the documents that its own functions make.
  const path = fileURLToPath(new URL('../load/seed-mails.ts', import.meta.url));
  const script = pathToFileURL(join(bench.serverFolder, relative(ownCheckout, path)));
  await Promise.all(parts.map((part) => runScript(script, part)));
  const seconds = (performance.now() - start) / 1_000;
  bench.progress(`seeded ${(whole.to / seconds).toFixed(0)} mails a second`);
}
