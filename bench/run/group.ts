import type { TestPostgres } from '../../server/test/harness/postgres.ts';
import type { Outcome } from '../measure/goal.ts';

/** What the caller of the command chose, or its defaults. */
export interface Options {
  rounds: number;
  /** How long the sustained measurement of a round lasts; others take a tenth of it. */
  seconds: number;
  seed: number;
  /** How long the soak of the group `start` lasts. */
  minutes: number;
  /** Whether a webhook and sockets follow the workspace that `intake` and `send` measure. */
  followed: boolean;
}

/** What a group works with. */
export interface Bench extends Options {
  postgres: TestPostgres;
  /** Shows where the run is. */
  progress(text: string): void;
  /** Runs at the end of the group, in the opposite order, whatever came of it. */
  atEnd(work: () => Promise<unknown>): void;
}

/** Measures its goals. */
export type Group = (bench: Bench) => Promise<Outcome[]>;

/** Runs `measure` for each round, subject and baselines by turns, so that whatever disturbs the machine disturbs all. */
export const inRounds = async <Result>(
  bench: Bench,
  measure: (round: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let round = 1; round <= bench.rounds; round++) {
    bench.progress(`round ${round} of ${bench.rounds}`);
    results.push(await measure(round));
  }
  return results;
};
