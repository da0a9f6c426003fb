import { compareWithBudget, type Spending, sayOverBudget } from './budgets.ts';
import { addCounts, describeSlowest, sayCounts } from './count-tests.ts';
import type { TierResult } from './run-tier.ts';
import type { Tier } from './tiers.ts';

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function sayUnits({ units, budget }: Spending): string {
  return `${units === null ? '?' : units} of ${budget}`;
}

/** Prints a tier that has ended: its output if it failed, and one line with its times. */
export function printResult(result: TierResult, tier: Tier, spending: Spending): void {
  const { name, ok, counts, durationMs, processorSeconds, output } = result;
  const tests = counts && counts.passed + counts.failed + counts.skipped === 0 ? 'no tests' : null;
  const detail = counts ? (tests ?? sayCounts(counts)) : tier.about;
  if (!ok) console.log(`\n${output.trimEnd()}\n`);
  const columns = [
    seconds(durationMs).padStart(8),
    `${processorSeconds === null ? '?' : processorSeconds.toFixed(1)} s CPU`.padStart(12),
    `${sayUnits(spending)} units`.padStart(20),
  ];
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${columns.join('  ')}  ${detail}`);
}

/** Prints the slowest test files, the processor time of each tier beside its budget, and a warning for one that is over it. */
export function printSpending(results: TierResult[], tiers: Tier[], unitSeconds: number): void {
  const slowest = describeSlowest(results.flatMap(({ files }) => files));
  if (slowest.length > 0) console.log(`\nThe slowest test files:\n${slowest.join('\n')}`);
  const spent = tiers.flatMap((tier) => {
    const result = results.find(({ name }) => name === tier.name);
    return result ? [{ result, spending: compareWithBudget(result, tier, unitSeconds) }] : [];
  });
  const list = spent.map(({ result, spending }) => `${result.name} ${sayUnits(spending)}`).join(', ');
  if (list !== '') console.log(`\nProcessor time in units of ${unitSeconds.toFixed(3)} s: ${list}`);
  for (const { result, spending } of spent) {
    const sentence = sayOverBudget(result.name, spending);
    if (spending.isOver && !result.failures.includes(sentence)) console.log(`Warning: ${sentence}`);
  }
}

/** Prints the totals of a run and, of tiers that failed, what failed. `ms` is the time of the whole run. */
export function printTotals(results: TierResult[], ms: number): void {
  const failed = results.filter(({ ok }) => !ok);
  console.log(`\n${results.length} tiers in ${seconds(ms)}`);
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
}
