import type { Pool } from 'undici';
import { percentile } from '../measure/statistics.ts';
import type { Bench } from './group.ts';
import type { SearchClass } from './search-classes.ts';

/** How many searches are asked at once. */
export const searchCallers = 4;
const leastRequests = 12;

/** A class of queries with its 95th percentile in milliseconds. */
export interface TimedClass {
  p95: number;
  what: string;
}

/** The slowest of the classes that the goals name, and the slowest of the others; null if there is none. */
export interface Slowest extends TimedClass {
  ofOthers: TimedClass | null;
}

/** Asks for a turn of a class, and returns how many messages were found. */
export type AskSearch = (each: Omit<SearchClass, 'isOfGoal'>, turn: number) => Promise<number>;

/** Asks each class of queries for so many seconds, from several callers at once. `who` names the search in the progress. */
export async function findSlowest(
  bench: Pick<Bench, 'progress'>,
  who: string,
  classes: SearchClass[],
  seconds: number,
  ask: AskSearch,
): Promise<Slowest> {
  const found: (TimedClass & Pick<SearchClass, 'isOfGoal'>)[] = [];
  for (const { isOfGoal, ...each } of classes) {
    // The classes before may have filled the memory of the database with other pages.
    await Promise.all(Array.from({ length: searchCallers }, (_, turn) => ask(each, turn)));
    found.push({ p95: percentile(await timeClass(each, seconds, ask), 0.95), what: each.what, isOfGoal });
  }
  const said = found.map(({ what, p95 }) => `${what} ${p95.toFixed(1)}`).join(', ');
  bench.progress(`${who}, p95 in ms: ${said}`);
  const slowest = (ofGoal: boolean) =>
    found.filter(({ isOfGoal }) => isOfGoal === ofGoal).toSorted((a, b) => b.p95 - a.p95)[0];
  return { ...slowest(true)!, ofOthers: slowest(false) ?? null };
}

async function timeClass(
  each: Omit<SearchClass, 'isOfGoal'>,
  seconds: number,
  ask: AskSearch,
): Promise<number[]> {
  const took: number[] = [];
  let turn = 0;
  const deadline = performance.now() + seconds * 1_000;
  const caller = async () => {
    while (performance.now() < deadline || took.length < leastRequests) {
      const start = performance.now();
      const own = turn++;
      const count = await ask(each, own);
      took.push(performance.now() - start);
      if (each.isFound && count === 0) throw new Error(`Nothing was found for ${each.query(own)}.`);
    }
  };
  await Promise.all(Array.from({ length: searchCallers }, caller));
  return took;
}

/** Returns a function that asks the API of a server. `more` has filters and the mode, which has to be the one that was used. */
export function askServer(pool: Pool, key: string, more: Record<string, string> = {}): AskSearch {
  const headers = { authorization: `Bearer ${key}` };
  return async (each, turn) => {
    const path = `/v1/messages?${new URLSearchParams({ query: each.query(turn), limit: '20', ...more })}`;
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    const answer = (await body.json()) as { messages: unknown[]; mode_used: string };
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${JSON.stringify(answer)}`);
    if (answer.mode_used !== (more.mode ?? 'keyword'))
      throw new Error(`${path} was answered by ${answer.mode_used}.`);
    return answer.messages.length;
  };
}
