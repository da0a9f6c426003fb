import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addCounts, sayCounts } from './check/count-tests.ts';
import { runTier, stopRunning, type TierResult } from './check/run-tier.ts';
import { sharePlaces } from './check/share-places.ts';
import { staticTiers, type Tier, testTiers } from './check/tiers.ts';

const rootFolder = fileURLToPath(new URL('../', import.meta.url));
const allTiers = [...staticTiers, ...testTiers];

function chooseTiers(): Tier[] {
  const { values } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean' } } });
  if (values.list) {
    for (const { name, about } of allTiers) console.log(`${name.padEnd(14)} ${about}`);
    process.exit(0);
  }
  if (values.only === undefined) return allTiers;
  const names = values.only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !allTiers.some((tier) => tier.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No tier ${unknown.join(', ')}: there are ${allTiers.map(({ name }) => name).join(', ')}.`,
    );
  }
  return allTiers.filter(({ name }) => names.includes(name));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function printResult(result: TierResult): void {
  const { name, ok, counts, durationMs, output } = result;
  const about = allTiers.find((tier) => tier.name === name)?.about ?? '';
  const tests = counts && counts.passed + counts.failed + counts.skipped === 0 ? 'no tests' : null;
  const detail = counts ? (tests ?? sayCounts(counts)) : about;
  if (!ok) console.log(`\n${output.trimEnd()}\n`);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(14)} ${seconds(durationMs).padStart(8)}  ${detail}`);
}

async function runAll(tiers: Tier[]): Promise<TierResult[]> {
  const results: TierResult[] = [];
  const finish = (result: TierResult) => {
    printResult(result);
    results.push(result);
  };
  const live = tiers.length === 1;
  const withPlace = sharePlaces(Math.max(2, availableParallelism()));
  const chosen = (list: Tier[]) => list.filter((tier) => tiers.includes(tier));
  await Promise.all(
    chosen(staticTiers).map(async (tier) => finish(await runTier(tier, { rootFolder, live, withPlace }))),
  );
  for (const tier of chosen(testTiers)) finish(await runTier(tier, { rootFolder, live, withPlace }));
  return results;
}

async function main(): Promise<number> {
  const startedAt = performance.now();
  const tiers = chooseTiers();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopRunning(signal);
      process.exit(130);
    });
  }
  const results = await runAll(tiers);
  const failed = results.filter(({ ok }) => !ok);
  console.log(`\n${results.length} tiers in ${seconds(performance.now() - startedAt)}`);
  if (failed.length > 0) {
    // Repeated at the end, where it can be found even if the output of a whole tier precedes it.
    for (const { name, failures } of failed)
      for (const failure of failures) console.log(`${name}: ${failure}`);
    console.log(`Failed: ${failed.map(({ name }) => name).join(', ')}`);
    console.log(`Again, alone: node scripts/check.ts --only ${failed[0]?.name}`);
  }
  // A check without tests counts as one failed test if it fails, so that a failed run never says "0 failed".
  const counts = results.map(
    (result) => result.counts ?? { passed: 0, failed: result.ok ? 0 : 1, skipped: 0 },
  );
  console.log(`\n${sayCounts(addCounts(counts))}`);
  return failed.length > 0 ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  },
);
