import type { TestPostgres } from '@postrider/testkit/database/postgres.ts';
import type { Outcome } from '../measure/goal.ts';
import type { Table } from '../measure/table.ts';

/** The options of the command. */
export interface Options {
  rounds: number;
  /** The seconds of the sustained measurement of a round. Other measurements take a part of it. */
  seconds: number;
  seed: number;
  /** The minutes of the soak of the group `start`, and of the group `memory`. */
  minutes: number;
  /** The messages in the largest workspace of the group `search`. */
  messages: number;
  /** Whether a webhook and sockets follow the workspace that `intake` and `send` measure. */
  followed: boolean;
}

/** The tools of a group. */
export interface Bench extends Options {
  postgres: TestPostgres;
  /** The checkout of the server that is measured. */
  serverFolder: string;
  /** Waits for the turn of this server, if there are two. */
  untilTurn(): Promise<void>;
  /** Shows the progress of the run. */
  progress(text: string): void;
  /** Adds a table to the result. */
  addTable(table: Table): void;
  /** Adds work for the end of the group, which is done in the opposite order, whatever the outcome. */
  atEnd(work: () => Promise<unknown>): void;
}

/** Measures its goals. */
export type Group = (bench: Bench) => Promise<Outcome[]>;

/**
 * Runs `measure` for each round. Subject and baselines take turns, so that a disturbance of the machine affects all of them. Another server
 * may have its turn between two rounds, so nothing that `measure` starts should go on after it.
 */
export async function inRounds<Result>(
  bench: Bench,
  measure: (round: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 1; round <= bench.rounds; round++) {
    await bench.untilTurn();
    bench.progress(`round ${round} of ${bench.rounds}`);
    results.push(await measure(round));
  }
  return results;
}
