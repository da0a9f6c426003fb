import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { Postrider } from 'postrider';
import { finishNaive, makeNaive } from '../baselines/naive-search.ts';
import { type MailSeed, type SeededWorkspace, secondsApart } from '../load/mail-seed.ts';
import type { Bench } from './group.ts';
import { runScript } from './program.ts';
import { inboxesEach, mailsFor, placeOf, placesCount } from './search-numbers.ts';
import { dropIndexes, indexAgain, makeBuckets, settleTables } from './search-tables.ts';
import { runSql } from './start-express.ts';
import { makeKey, type Server, serverFolder, startServer } from './start-server.ts';

/** A server with mails that can be searched, and the naive search with the same mails. */
export interface SearchedServer {
  origin: string;
  naiveUrl: string;
  /** The keys of the workspaces, and the workspaces, by place. */
  keys: string[];
  workspaces: SeededWorkspace[];
  /** How many mails there are in all workspaces. */
  mails: number;
}

const checkedMessages = 300;

/** Starts a server with `bench.messages` messages in its largest workspace. */
export async function startSearched(bench: Bench): Promise<SearchedServer> {
  const databaseUrl = await bench.postgres.createDatabase();
  const naiveUrl = await bench.postgres.createDatabase();
  const moreKeys = Array.from({ length: placesCount - 2 }, makeKey);
  const server = await startServer(bench, databaseUrl, {}, moreKeys);
  const keys = [server.key, server.otherKey, ...moreKeys];
  const mails = mailsFor(bench.messages);
  const workspaces = await makeWorkspaces(server, databaseUrl, keys, mails);
  await server.stop();
  await runSql(naiveUrl, [makeNaive]);
  const firstTime = Date.now() - mails * secondsApart * 1_000;
  const rebuild = await dropIndexes(databaseUrl);
  await seed(bench, {
    databaseUrl,
    naiveUrl,
    serverFolder,
    seed: bench.seed,
    firstTime,
    workspaces,
    from: 0,
    to: mails,
  });
  bench.progress('building the indexes');
  await Promise.all([rebuild().then(() => settleTables(databaseUrl)), runSql(naiveUrl, finishNaive)]);
  const { origin } = await server.start();
  const changed = await indexAgain(databaseUrl, checkedMessages);
  if (changed.length > 0)
    throw new Error(`The server indexes ${changed.length} messages otherwise, such as ${changed[0]}.`);
  return { origin, naiveUrl, keys, workspaces, mails };
}

async function makeWorkspaces(
  { origin }: Server,
  databaseUrl: string,
  keys: string[],
  mails: number,
): Promise<SeededWorkspace[]> {
  const counts = keys.map(() => 0);
  for (let number = 0; number < mails; number++) counts[placeOf(number)]! += 1;
  const workspaces: SeededWorkspace[] = [];
  for (const [place, apiKey] of keys.entries()) {
    const client = new Postrider({ apiKey, baseURL: `${origin}/v1` });
    const { workspace } = await client.account.get();
    const inboxes: SeededWorkspace['inboxes'] = [];
    for (let made = 0; made < inboxesEach; made++) {
      const { id, address } = await client.inboxes.create({
        local_part: `search${made}-${randomBytes(4).toString('hex')}`,
      });
      inboxes.push({ id, address });
    }
    const buckets = await makeBuckets(databaseUrl, workspace.id, counts[place]!);
    workspaces.push({ id: workspace.id, inboxes, buckets });
  }
  return workspaces;
}

/** Writes the mails from as many processes as there are cores. Each writes neighbours, as they came. */
async function seed(bench: Bench, whole: MailSeed): Promise<void> {
  const start = performance.now();
  const processes = cpus().length;
  const each = Math.ceil(whole.to / processes);
  const parts = Array.from({ length: processes }, (_, at) => ({
    ...whole,
    from: at * each,
    to: Math.min(whole.to, (at + 1) * each),
  }));
  bench.progress(`seeding ${whole.to} mails`);
  await Promise.all(parts.map((part) => runScript(new URL('../load/seed-mails.ts', import.meta.url), part)));
  const seconds = (performance.now() - start) / 1_000;
  bench.progress(`seeded ${(whole.to / seconds).toFixed(0)} mails a second`);
}
