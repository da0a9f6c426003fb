import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './bootstrap/build-console.mjs';
import { compareWithBudget, failForBudget } from './check/budgets.ts';
import { chooseTiers } from './check/choose-tiers.ts';
import { printResult, printSpending, printTotals } from './check/print-results.ts';
import { measureUnit } from './check/processor-time.ts';
import { type RunOptions, runTier, stopRunning, type TierResult } from './check/run-tier.ts';
import { sharePlaces } from './check/share-places.ts';
import { staticTiers, type Tier, testLanes } from './check/tiers.ts';

const rootFolder = fileURLToPath(new URL('../', import.meta.url));
const isStrict = process.env.POSTRIDER_TEST_BUDGETS === 'strict';

/** Runs the tiers without tests side by side, and then the lanes of tests. */
async function runAll(tiers: Tier[], unitSeconds: number): Promise<TierResult[]> {
  const results: TierResult[] = [];
  const run = async (tier: Tier, options: RunOptions) => {
    const result = await runTier(tier, options);
    const spending = compareWithBudget(result, tier, unitSeconds);
    const judged = spending.isOver && isStrict ? failForBudget(result, spending) : result;
    printResult(judged, tier, spending);
    results.push(judged);
  };
  const chosen = (list: Tier[]) => list.flatMap(({ name }) => tiers.find((tier) => tier.name === name) ?? []);
  const lanes = testLanes.map(chosen).filter((lane) => lane.length > 0);
  const isBeside = lanes.length > 1;
  const withPlace = sharePlaces(Math.max(2, availableParallelism()));
  const options = { rootFolder, live: tiers.length === 1, isBeside, withPlace };
  await Promise.all(chosen(staticTiers).map((tier) => run(tier, options)));
  if (isBeside) await buildPages();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const tier of lane) await run(tier, options);
    }),
  );
  return results;
}

/** Builds the pages of the console before both lanes would do so at once. If that fails, their own attempts say why. */
async function buildPages(): Promise<void> {
  await buildConsole({ node: process.execPath }).catch(() => {});
}

async function main(): Promise<number> {
  const startedAt = performance.now();
  const tiers = chooseTiers(process.argv.slice(2), rootFolder);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopRunning(signal);
      process.exit(130);
    });
  }
  const unitSeconds = measureUnit();
  const results = await runAll(tiers, unitSeconds);
  printSpending(results, tiers, unitSeconds);
  printTotals(results, performance.now() - startedAt);
  return results.every(({ ok }) => ok) ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  },
);
