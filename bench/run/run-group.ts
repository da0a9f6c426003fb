import { resolve } from 'node:path';
import { startPostgres } from '@postrider/testkit/database/postgres.ts';
import { ownCheckout } from '@postrider/testkit/servers/server-process.ts';
import { compareOutcomes, comparisonTable } from '../measure/compare.ts';
import { describeCommit, describeMachine, readVersions } from '../measure/machine.ts';
import type { Result } from '../measure/result.ts';
import type { Table } from '../measure/table.ts';
import type { Bench, Group, Options } from './group.ts';
import { untilIdle } from './program.ts';
import { runInTurns } from './turns.ts';

/**
 * As on a small machine dedicated to Postgres. The harness's own settings are for tests that share one. The planner learns of the rows of a
 * new database within a second in place of a minute, since a group lasts no longer.
 */
const settings = { shared_buffers: '512MB', max_wal_size: '4GB', autovacuum_naptime: '1s' };

/** Runs a group. With the folder of another checkout, the group runs with its server too, and the two take turns in each round. */
export async function runGroup(
  name: string,
  group: Group,
  options: Options,
  beforeFolder: string | null,
): Promise<Result> {
  const machine = describeMachine();
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 1_000);
  const { atEnd, cleanUp } = collectEnds();
  try {
    const postgres = await startPostgres({ fsync: true, settings });
    atEnd(() => postgres.stop());
    const tables: Table[] = [];
    const runWith = (serverFolder: string, label: string) => (untilTurn: () => Promise<void>) => {
      const bench: Bench = {
        ...options,
        postgres,
        serverFolder,
        untilTurn,
        progress: (text) => console.error(`${seconds().toString().padStart(4)} s  ${label}${text}`),
        addTable: (table) => void tables.push({ ...table, title: `${label}${table.title}` }),
        atEnd,
      };
      return group(bench);
    };
    const versions = await readVersions(postgres.version);
    versions.server = describeCommit(ownCheckout);
    const run = { group: name, at: new Date().toISOString(), ...options, machine, versions, tables };
    if (beforeFolder === null) {
      const [outcomes = []] = await runInTurns([runWith(ownCheckout, '')], async () => {});
      return { ...run, took: seconds(), outcomes };
    }
    versions['server before'] = describeCommit(beforeFolder);
    // The server without a turn keeps running without load: one that was started for its turn would be measured before it is warm.
    const works = [runWith(resolve(beforeFolder), 'before: '), runWith(ownCheckout, 'now: ')];
    const [before = [], outcomes = []] = await runInTurns(works, untilIdle);
    const comparisons = compareOutcomes(before, outcomes);
    tables.push(comparisonTable(comparisons, versions['server before']));
    return { ...run, took: seconds(), outcomes, comparisons };
  } finally {
    await cleanUp();
  }
}

/** Collects what has to be ended. It is ended in the opposite order, also if a signal ends the bench. */
function collectEnds() {
  const ends: (() => Promise<unknown>)[] = [];
  const endAll = async () => {
    for (const end of ends.reverse()) await end().catch(console.error);
  };
  // Signals come twice if a group of processes gets them, and again with the failures that they cause. All of them wait for the same end.
  let ended: Promise<void> | null = null;
  const cleanUp = () => (ended ??= endAll());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void cleanUp().finally(() => process.exit(1)));
  return { atEnd: (work: () => Promise<unknown>) => void ends.push(work), cleanUp };
}
