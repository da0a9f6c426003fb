import pg from 'pg';
import { Pool } from 'undici';
import { searchNaive } from '../baselines/naive-search.ts';
import { type Figure, judge, type Outcome, ratio } from '../measure/goal.ts';
import { percentile } from '../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { type SearchClass, searchClasses } from '../run/search-classes.ts';
import { places } from '../run/search-numbers.ts';
import { type SearchedServer, startSearched } from '../run/start-searched.ts';
import { searchGoals } from './search-goals.ts';

const callers = 4;
const leastRequests = 12;
/** The shares of `bench.seconds` for one class of queries. */
const share = { server: 0.1, naive: 0.05, semantic: 0.3 };

/** The slowest class of a search: its 95th percentile in milliseconds, and its name. */
interface Slowest {
  p95: number;
  what: string;
}

type Size = keyof typeof places;
type Ask = (each: SearchClass, turn: number) => Promise<number>;

/** P14 to P16: how fast the best twenty messages are found, in how many messages. */
export const search: Group = async (bench) => {
  const searched = await startSearched(bench);
  const naive = new pg.Pool({ connectionString: searched.naiveUrl, max: callers });
  bench.atEnd(() => naive.end());
  const pool = new Pool(searched.origin, { connections: callers });
  bench.atEnd(() => pool.destroy());
  const classes = (size: Size) => searchClasses(places[size], searched.mails);
  const ofServer = (size: Size, more: Record<string, string> = {}) =>
    slowest(
      bench,
      `${size}${sayMore(more)}`,
      classes(size),
      share.server,
      askServer(pool, searched, size, more),
    );
  const ofNaive = (size: Size) => {
    const workspaceId = searched.workspaces[places[size]]!.id;
    const possible = classes(size).filter(({ naive: queryOf }) => queryOf(0) !== null);
    return slowest(bench, `${size}, naive`, possible, share.naive, async (each, turn) =>
      searchNaive(naive, workspaceId, each.naive(turn) ?? ''),
    );
  };
  const few = { inbox_id: searched.workspaces[places.large]!.inboxes[0]!.id };
  const rounds = await inRounds(bench, async () => ({
    large: await ofServer('large'),
    largeNaive: await ofNaive('large'),
    middle: await ofServer('middle'),
    middleNaive: await ofNaive('middle'),
    small: await ofServer('small'),
    smallNaive: await ofNaive('small'),
    few: await ofServer('large', few),
    semantic: await meaning(bench, pool, searched, 'middle', 'semantic'),
    hybrid: await meaning(bench, pool, searched, 'middle', 'hybrid'),
    semanticLarge: await meaning(bench, pool, searched, 'large', 'semantic'),
  }));
  return outcomesOf(rounds);
};

type Round = Record<
  | 'large'
  | 'largeNaive'
  | 'middle'
  | 'middleNaive'
  | 'small'
  | 'smallNaive'
  | 'few'
  | 'semantic'
  | 'hybrid'
  | 'semanticLarge',
  Slowest
>;

function outcomesOf(rounds: Round[]): Outcome[] {
  const worst = (name: keyof Round) => rounds.map((round) => ({ value: round[name].p95 }));
  const note = (name: keyof Round) =>
    `slowest: ${[...new Set(rounds.map((round) => round[name].what))].join('; ')}`;
  const faster = (subject: 'large' | 'middle' | 'small') =>
    rounds.map((round): Figure => {
      const [own, naive] = [round[subject].p95, round[`${subject}Naive`].p95];
      return { value: naive / own, subject: own, baseline: naive };
    });
  const { keyword, growth, naiveLarge, naiveMiddle, naiveSmall, inInbox, semantic, hybrid, semanticLarge } =
    searchGoals;
  return [
    judge(keyword, worst('large'), note('large')),
    judge(
      growth,
      rounds.map(({ large, middle }) => ratio(large.p95, middle.p95)),
    ),
    judge(naiveLarge, faster('large'), note('largeNaive')),
    judge(naiveMiddle, faster('middle')),
    judge(naiveSmall, faster('small')),
    judge(inInbox, worst('few'), note('few')),
    judge(semantic, worst('semantic')),
    judge(hybrid, worst('hybrid')),
    judge(semanticLarge, worst('semanticLarge')),
  ];
}

/** Asks each class of queries for some time, from several callers at once. */
async function slowest(
  bench: Bench,
  who: string,
  classes: SearchClass[],
  shareOf: number,
  ask: Ask,
): Promise<Slowest> {
  const found: Slowest[] = [];
  for (const each of classes) {
    const took = await timeClass(each, bench.seconds * shareOf, ask);
    found.push({ p95: percentile(took, 0.95), what: each.what });
  }
  const said = found.map(({ what, p95 }) => `${what} ${p95.toFixed(1)}`).join(', ');
  bench.progress(`${who}, p95 in ms: ${said}`);
  return found.toSorted((a, b) => b.p95 - a.p95)[0]!;
}

async function timeClass(each: SearchClass, seconds: number, ask: Ask): Promise<number[]> {
  const took: number[] = [];
  let turn = 0;
  const deadline = performance.now() + seconds * 1_000;
  const caller = async () => {
    while (performance.now() < deadline || took.length < leastRequests) {
      const start = performance.now();
      const count = await ask(each, turn++);
      took.push(performance.now() - start);
      if (each.isFound && count === 0) throw new Error(`Nothing was found for ${each.query(turn - 1)}.`);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return took;
}

function askServer(pool: Pool, searched: SearchedServer, size: Size, more: Record<string, string>): Ask {
  const headers = { authorization: `Bearer ${searched.keys[places[size]]}` };
  return async (each, turn) => {
    const query = new URLSearchParams({ query: each.query(turn), limit: '20', ...more });
    const path = `/v1/messages?${query}`;
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    const answer = (await body.json()) as { messages: unknown[]; mode_used: string };
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${JSON.stringify(answer)}`);
    if (answer.mode_used !== (more.mode ?? 'keyword'))
      throw new Error(`${path} was answered by ${answer.mode_used}.`);
    return answer.messages.length;
  };
}

async function meaning(
  bench: Bench,
  pool: Pool,
  searched: SearchedServer,
  size: Size,
  mode: 'semantic' | 'hybrid',
): Promise<Slowest> {
  const classes = searchClasses(places[size], searched.mails).filter(
    ({ what }) => what === 'two words' || what === 'phrase',
  );
  const ask = askServer(pool, searched, size, { mode });
  return slowest(
    bench,
    `${size}, ${mode}`,
    classes.map((each) => ({ ...each, isFound: true })),
    share.semantic,
    ask,
  );
}

function sayMore(more: Record<string, string>): string {
  return more.inbox_id === undefined ? '' : ', in an inbox';
}
