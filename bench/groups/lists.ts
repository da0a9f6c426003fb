import { Postrider } from 'postrider';
import { Pool } from 'undici';
import { type Figure, type Goal, judge, type Outcome, ratio } from '../measure/goal.ts';
import { percentile } from '../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { type ListCase, type ListedWorkspace, listCases } from '../run/list-cases.ts';
import { startSeeding } from '../run/seed-messages.ts';
import { type Server, startServer } from '../run/start-server.ts';

// Multiples of three, the messages of a seeded thread.
const few = 9_999;
const many = 999_999;
/** The messages of the other workspace have other numbers. */
const otherFrom = 2_000_001;
const inboxesEach = 10;
const warmUpRequests = 10;
/** The duration of a round for each of `bench.seconds`, because a 95th percentile takes many requests. */
const roundMs = 3_000;

/** P17: whether lists stay as fast when there are many messages, with each filter and without one. */
export const lists: Group = async (bench) => {
  const databaseUrl = await bench.postgres.createDatabase();
  const server = await startServer(bench, databaseUrl);
  const seeding = await startSeeding(databaseUrl);
  const prepare = async (apiKey: string, from: number, to: number): Promise<ListedWorkspace> => {
    bench.progress(`seeding ${to - from + 1} messages`);
    const client = new Postrider({ apiKey, baseURL: `${server.origin}/v1` });
    const inboxIds: string[] = [];
    for (let made = 0; made < inboxesEach; made++)
      inboxIds.push((await client.inboxes.create({ local_part: `list${from}-${made}` })).id);
    await seeding.add({ inboxIds, from, to });
    const label = async (name: string, every: number) => {
      const { id } = await client.labels.create({ name });
      await seeding.label(id, every, { from, to });
      return id;
    };
    const labels = { often: await label('often', 10), seldom: await label('seldom', 1_000) };
    return { key: apiKey, inboxIds, from, to, labels };
  };
  const large = await prepare(server.key, 0, many - 1);
  const small = await prepare(server.otherKey, otherFrom, otherFrom + few - 1);
  await seeding.finish();
  return timeCases(bench, server, large, small);
};

async function timeCases(
  bench: Bench,
  server: Server,
  large: ListedWorkspace,
  small: ListedWorkspace,
): Promise<Outcome[]> {
  const pool = new Pool(server.origin, { connections: 1 });
  const cases = listCases();
  const rounds = await inRounds(bench, async () => {
    const figures: [Figure, Figure][] = [];
    for (const each of cases) {
      const took = await timeByTurns(pool, each, [large, small], (bench.seconds * roundMs) / cases.length);
      const [p50, p95] = [0.5, 0.95].map((share) => took.map((one) => percentile(one, share)));
      bench.progress(`${each.what}: p50 ${say(p50)}, p95 ${say(p95)} ms`);
      figures.push([ratio(p50![0]!, p50![1]!), ratio(p95![0]!, p95![1]!)]);
    }
    return figures;
  });
  await pool.destroy();
  return cases.flatMap(({ what }, at) =>
    (['p50', 'p95'] as const).map((share, nth) =>
      judge(
        { ...growth, id: `P17.${at + 1}`, what: `${what}, ${share}` },
        rounds.map((figures) => figures[at]![nth]!),
      ),
    ),
  );
}

/** The limits of 1,000,000 messages against 10,000. */
const growth: Pick<Goal, 'unit' | 'better' | 'floor' | 'target'> = {
  unit: '×',
  better: 'lower',
  floor: 1.5,
  target: 1.2,
};

function say(pair: number[] | undefined): string {
  return pair?.map((value) => value.toFixed(1)).join(' and ') ?? '';
}

/** Returns how long requests of two callers took, in milliseconds. The callers take turns, and there is one request at a time. */
async function timeByTurns(
  pool: Pool,
  { path }: ListCase,
  workspaces: [ListedWorkspace, ListedWorkspace],
  forMs: number,
): Promise<[number[], number[]]> {
  const took: [number[], number[]] = [[], []];
  const ask = async (workspace: ListedWorkspace): Promise<number> => {
    const start = performance.now();
    const headers = { authorization: `Bearer ${workspace.key}` };
    const { statusCode, body } = await pool.request({ method: 'GET', path: path(workspace), headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${path(workspace)} answered ${statusCode}.`);
    return performance.now() - start;
  };
  for (let request = 0; request < warmUpRequests; request++) for (const each of workspaces) await ask(each);
  const deadline = performance.now() + forMs;
  while (performance.now() < deadline)
    for (const [at, workspace] of workspaces.entries()) took[at]?.push(await ask(workspace));
  return took;
}
