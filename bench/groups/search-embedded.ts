import { Pool } from 'undici';
import { type Goal, judge, type Outcome } from '../measure/goal.ts';
import { median } from '../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { searchClasses } from '../run/search-classes.ts';
import { places } from '../run/search-numbers.ts';
import { startProbe } from '../run/start-probe.ts';
import { startSearchedEmbedded } from '../run/start-searched.ts';
import { askServer, findSlowest, searchCallers } from '../run/time-searches.ts';

const ms = { unit: 'ms', better: 'lower' } as const;
/** The sizes that are measured, as shares of 50,000 messages. */
const sizes = [
  { id: 'P14n', share: 0.2, count: '10,000' },
  { id: 'P14o', share: 1, count: '50,000' },
];
const messagesMax = 50_000;
/** The share of `bench.seconds` for one class of queries. */
const classShare = 0.2;

/** How fast messages are found in the embedded database, and how long a search keeps other requests waiting. */
export const searchEmbedded: Group = async (bench) => {
  const outcomes: Outcome[] = [];
  for (const { id, share, count } of sizes) {
    const messages = Math.min(bench.messages, messagesMax) * share;
    outcomes.push(...(await searchIn(bench, messages, goalsOf(id, count))));
  }
  return outcomes;
};

type Goals = Record<'search' | 'further' | 'meaning' | 'stall', Goal>;

function goalsOf(id: string, count: string): Goals {
  const noGoal = { ...ms, floor: null, target: null };
  return {
    search: {
      id: `${id}1`,
      what: `best 20 of ${count} messages, embedded, 4 callers`,
      ...ms,
      floor: 60,
      target: 20,
    },
    further: {
      id: `${id}3`,
      what: 'the same with a typo, the beginning of a word, an order number, or words that seldom meet',
      ...noGoal,
    },
    meaning: { id: `${id}4`, what: 'the same by meaning, and by meaning and words', ...noGoal },
    stall: {
      id: `${id}2`,
      what: 'longest wait for GET /inboxes of another workspace meanwhile',
      ...ms,
      floor: 100,
      target: 50,
    },
  };
}

async function searchIn(bench: Bench, messages: number, goals: Goals): Promise<Outcome[]> {
  const { origin, keys, mails } = await startSearchedEmbedded(bench, messages);
  const pool = new Pool(origin, { connections: searchCallers });
  bench.atEnd(() => pool.destroy());
  const probe = await startProbe(bench, { origin, key: keys[places.small]! });
  const classes = searchClasses(places.large, mails);
  const ask = askServer(pool, keys[places.large]!);
  const byMeaning = async (mode: 'semantic' | 'hybrid') => {
    const some = classes.filter(({ what }) => what === 'two words' || what === 'phrase');
    const askMode = askServer(pool, keys[places.large]!, { mode });
    return findSlowest(bench, `embedded, ${mode}`, some, bench.seconds * classShare, askMode);
  };
  bench.progress('warming up');
  await findSlowest(bench, 'embedded', classes, bench.seconds * classShare * 0.5, ask);
  const rounds = await inRounds(bench, async () => {
    await probe();
    await new Promise((resolve) => setTimeout(resolve, bench.seconds * 100));
    const quiet = await probe();
    const slowest = await findSlowest(bench, 'embedded', classes, bench.seconds * classShare, ask);
    const meaning = [await byMeaning('semantic'), await byMeaning('hybrid')];
    const stall = await probe();
    bench.progress(`longest wait ${stall.toFixed(0)} ms, and ${quiet.toFixed(0)} ms without searches`);
    return { slowest, meaning, stall, quiet };
  });
  const names = [...new Set(rounds.map(({ slowest }) => slowest.what))].join('; ');
  const quiet = median(rounds.map((round) => round.quiet)).toFixed(0);
  const further = rounds.flatMap(({ slowest }) => slowest.ofOthers ?? []);
  return [
    judge(
      goals.search,
      rounds.map(({ slowest }) => ({ value: slowest.p95 })),
      `slowest: ${names}`,
    ),
    judge(
      goals.further,
      further.map(({ p95 }) => ({ value: p95 })),
      `slowest: ${[...new Set(further.map(({ what }) => what))].join('; ')}`,
    ),
    judge(
      goals.meaning,
      rounds.map(({ meaning }) => ({ value: Math.max(...meaning.map(({ p95 }) => p95)) })),
    ),
    judge(
      goals.stall,
      rounds.map(({ stall }) => ({ value: stall })),
      `${quiet} ms without searches`,
    ),
  ];
}
