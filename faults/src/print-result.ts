import type { Result } from './run-fault.ts';
import type { Bound, Row } from './trial.ts';

/** Prints the result of a run: its figures first, then each invariant. */
export function printResult(result: Result): void {
  const { fault, database, seed, control, tookSeconds, passed, error } = result;
  const kind = control ? 'control' : 'trial';
  console.log(`\n${fault}, ${kind} on ${database}, seed ${seed}, ${tookSeconds} s`);
  const width = Math.max(
    0,
    ...Object.keys(result.figures).map((name) => name.length),
    ...result.findings.map(({ invariant }) => invariant.length),
  );
  for (const [name, value] of Object.entries(result.figures))
    console.log(`  ${name.padEnd(width)}  ${value}`);
  for (const { invariant, value, bound, holds, examples } of result.findings) {
    const verdict = holds ? 'holds' : 'BROKEN';
    console.log(`  ${invariant.padEnd(width)}  ${value} (${describeBound(bound)}) ${verdict}`);
    if (!holds && examples.length > 0) console.log(`    such as ${examples.join(', ')}`);
  }
  if (result.rows) printRows(result.rows);
  if (error) console.log(`  ${error}`);
  console.log(`  ${describeVerdict(passed, control)}`);
}

/** Prints a table with rows and columns swapped, because it has few rows and many columns. */
function printRows(rows: Row[]): void {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = heads.map((head) => [
    head,
    ...rows.map((row) => String(row[head] ?? '').slice(0, cellWidthMax)),
  ]);
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  for (const line of cells)
    console.log(`  ${line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ')}`);
}

const cellWidthMax = 16;

/** Returns the bound of an invariant in words. */
export function describeBound(bound: Bound): string {
  if ('exactly' in bound) return `must be ${bound.exactly}`;
  return 'most' in bound ? `at most ${bound.most}` : `at least ${bound.least}`;
}

function describeVerdict(passed: boolean, control: boolean): string {
  if (control) return passed ? 'caught' : 'NOT CAUGHT';
  return passed ? 'passed' : 'FAILED';
}
