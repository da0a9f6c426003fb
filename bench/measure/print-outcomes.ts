import type { Outcome } from './goal.ts';
import type { Table } from './table.ts';

/** The columns of the table, for the terminal and for the report. */
export const columns = ['goal', 'what', 'median', 'min', 'max', 'baseline ±', 'floor', 'target', 'verdict'];

/** Returns one row of the table. */
export function outcomeCells(outcome: Outcome): string[] {
  const show = (value: number | null) => (value === null ? '–' : formatFigure(value, outcome.unit));
  const limit = (value: number | null) =>
    value === null ? '–' : `${outcome.better === 'higher' ? '≥' : '≤'} ${formatFigure(value, outcome.unit)}`;
  return [
    outcome.id,
    outcome.what,
    show(outcome.median),
    show(outcome.min),
    show(outcome.max),
    outcome.baselineSpread === null ? '–' : `${Math.round(outcome.baselineSpread * 100)} %`,
    limit(outcome.floor),
    limit(outcome.target),
    outcome.note === undefined ? outcome.verdict : `${outcome.verdict} (${outcome.note})`,
  ];
}

/** Returns a figure with its unit and a suitable number of digits. */
export function formatFigure(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return unit === '×' ? `${value.toFixed(2)}×` : `${value.toFixed(digits)} ${unit}`;
}

/** Returns the table of the outcomes for a terminal. */
export function formatOutcomes(outcomes: Outcome[]): string {
  return formatRows([columns, ...outcomes.map(outcomeCells)]);
}

/** Returns a table with its title for a terminal. */
export function formatTable({ title, columns, rows }: Table): string {
  return `\n${title}\n${formatRows([columns, ...rows])}`;
}

function formatRows(rows: string[][]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
