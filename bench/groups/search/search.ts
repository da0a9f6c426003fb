import pg from 'pg';
import { Pool } from 'undici';
import { searchNaive } from '../../baselines/naive-search.ts';
import { type Figure, type Goal, judge, type Outcome, ratio } from '../../measure/goal.ts';
import { type Group, inRounds } from '../../run/group.ts';
import { searchClasses } from '../../run/search-classes.ts';
import { places } from '../../run/search-numbers.ts';
import { startSearched } from '../../run/start-searched.ts';
import { askServer, findSlowest, type Slowest, searchCallers } from '../../run/time-searches.ts';
import { searchGoals } from './search-goals.ts';

/** The shares of `bench.seconds` for one class of queries. */
const share = { server: 0.2, naive: 0.05, semantic: 0.3 };

/** The inbox with one message in 200, by its place. */
const fewInbox = 0;

type Size = keyof typeof places;
type Round = Record<Size | `${Size}Naive` | 'few' | 'semantic' | 'hybrid' | 'semanticLarge', Slowest>;

/** P14 to P16: how fast the best twenty messages are found, in how many messages. */
export const search: Group = async (bench) => {
  const naiveUrl = await bench.postgres.createDatabase();
  const searched = await startSearched(bench, { naiveUrl });
  const naive = new pg.Pool({ connectionString: naiveUrl, max: searchCallers });
  bench.atEnd(() => naive.end());
  const pool = new Pool(searched.origin, { connections: searchCallers });
  bench.atEnd(() => pool.destroy());
  const classes = (size: Size, inbox?: number) => searchClasses(places[size], searched.mails, inbox);
  const sizeKey = (size: Size) => searched.keys[places[size]]!;
  const ofServer = (size: Size, inbox?: number) => {
    const who = inbox === undefined ? size : `${size}, in an inbox`;
    const more =
      inbox === undefined ? {} : { inbox_id: searched.workspaces[places[size]]!.inboxes[inbox]!.id };
    const ask = askServer(pool, sizeKey(size), more);
    return findSlowest(bench, who, classes(size, inbox), bench.seconds * share.server, ask);
  };
  const ofNaive = (size: Size) => {
    const workspaceId = searched.workspaces[places[size]]!.id;
    const possible = classes(size).filter(({ naive: queryOf }) => queryOf(0) !== null);
    return findSlowest(bench, `${size}, naive`, possible, bench.seconds * share.naive, (each, turn) =>
      searchNaive(naive, workspaceId, each.naive(turn) ?? ''),
    );
  };
  const byMeaning = (size: Size, mode: 'semantic' | 'hybrid') => {
    const some = classes(size).filter(({ what }) => what === 'two words' || what === 'phrase');
    const ask = askServer(pool, sizeKey(size), { mode });
    return findSlowest(bench, `${size}, ${mode}`, some, bench.seconds * share.semantic, ask);
  };
  bench.progress('warming up');
  await ofServer('large');
  const rounds = await inRounds(
    bench,
    async (): Promise<Round> => ({
      large: await ofServer('large'),
      largeNaive: await ofNaive('large'),
      middle: await ofServer('middle'),
      middleNaive: await ofNaive('middle'),
      small: await ofServer('small'),
      smallNaive: await ofNaive('small'),
      few: await ofServer('large', fewInbox),
      semantic: await byMeaning('middle', 'semantic'),
      hybrid: await byMeaning('middle', 'hybrid'),
      semanticLarge: await byMeaning('large', 'semantic'),
    }),
  );
  return judgeRounds(rounds, searchGoals(bench.messages));
};

function judgeRounds(rounds: Round[], goals: ReturnType<typeof searchGoals>): Outcome[] {
  const worst = (name: keyof Round) => rounds.map((round) => ({ value: round[name].p95 }));
  const note = (name: keyof Round) => describeSlowest(rounds.map((round) => round[name].what));
  const further = (name: keyof Round) => rounds.flatMap((round) => round[name].ofOthers ?? []);
  const judgeFurther = (goal: Goal, name: keyof Round) =>
    judge(
      goal,
      further(name).map(({ p95 }) => ({ value: p95 })),
      describeSlowest(further(name).map(({ what }) => what)),
    );
  const faster = (size: Size) =>
    rounds.map((round): Figure => {
      const [subject, baseline] = [round[size].p95, round[`${size}Naive`].p95];
      return { value: baseline / subject, subject, baseline };
    });
  return [
    judge(goals.keyword, worst('large'), note('large')),
    judgeFurther(goals.keywordFurther, 'large'),
    judge(
      goals.growth,
      rounds.map(({ large, middle }) => ratio(large.p95, middle.p95)),
    ),
    judge(goals.naiveLarge, faster('large'), note('largeNaive')),
    judge(goals.naiveMiddle, faster('middle')),
    judge(goals.naiveSmall, faster('small')),
    judge(goals.inInbox, worst('few'), note('few')),
    judgeFurther(goals.inInboxFurther, 'few'),
    judge(goals.semantic, worst('semantic')),
    judge(goals.hybrid, worst('hybrid')),
    judge(goals.semanticLarge, worst('semanticLarge')),
  ];
}

function describeSlowest(classes: string[]): string {
  return `slowest: ${[...new Set(classes)].join('; ')}`;
}
