import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describeBound } from './print-result.ts';
import type { Result } from './run-fault.ts';
import type { Row } from './trial.ts';

const folder = new URL('../results/', import.meta.url);
const page = new URL('../RESULTS.md', import.meta.url);

/** Writes RESULTS.md from the results that are kept; true when there are any. */
export const writeResults = async (): Promise<boolean> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  const results = texts.flatMap((text) => JSON.parse(text) as Result[]);
  await writeFile(page, pageOf(results));
  console.log(`RESULTS.md is written from ${results.length} runs.`);
  return results.length > 0;
};

const pageOf = (results: Result[]): string => {
  const machines = [...new Set(results.map(({ machine }) => machine))];
  const parts = [
    '# What the faults showed',
    'Written by `pnpm faults results` from `results/*.json`. A trial passes when each of its invariants holds; a control passes when what it has to break is broken.',
    `Machine: ${machines.join('; ')}. Other programs shared it.`,
    '## All runs',
    ...[table(['fault', 'database', 'run', 'times', 'seed', 'seconds', 'verdict'], results.map(rowOf))],
    ...results.map(sectionOf),
  ];
  return `${parts.join('\n\n')}\n`;
};

const rowOf = (result: Result): string[] => [
  result.fault,
  result.database,
  kindOf(result),
  String(result.times),
  String(result.seed),
  String(result.tookSeconds),
  verdictOf(result),
];

const kindOf = ({ control }: Result): string => (control ? 'control' : 'trial');

const verdictOf = ({ passed, control }: Result): string => {
  if (control) return passed ? 'caught' : '**not caught**';
  return passed ? 'passed' : '**failed**';
};

const sectionOf = (result: Result): string => {
  const figures = Object.entries(result.figures).map(([name, value]) => [name, String(value), '', '']);
  const findings = result.findings.map(({ invariant, value, bound, holds }) => [
    invariant,
    String(value),
    describeBound(bound),
    holds ? 'holds' : '**broken**',
  ]);
  return [
    `## ${result.fault}, ${kindOf(result)} on ${result.database}`,
    `${capitalized(result.about)}; ${describeLength(result)}.`,
    table(['figure or invariant', 'seen', 'allowed', ''], [...figures, ...findings]),
    ...(result.rows ? [tableOf(result.rows)] : []),
    ...(result.error ? [`Not run to its end: ${result.error.split('\n')[0]}`] : []),
  ].join('\n\n');
};

const describeLength = ({ minutes, processes, times, unit = 'times' }: Result): string => {
  const length = minutes ? `${minutes} minutes` : `${times} ${unit}`;
  return processes ? `${length}, ${processes} processes` : length;
};

/** A table of what is short, and a list of what is long below it. */
const tableOf = (rows: Row[]): string => {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (row: Row, head: string) => String(row[head] ?? '').replaceAll('|', '\\|');
  const isLong = (head: string) => rows.some((row) => cell(row, head).length > cellCharactersMax);
  const short = heads.filter((head) => !isLong(head));
  const [name = ''] = short;
  const lines = heads
    .filter(isLong)
    .flatMap((head) => [
      `${capitalized(head)}:`,
      rows.map((row) => `- ${cell(row, name)}: ${cell(row, head)}`).join('\n'),
    ]);
  return [
    table(
      short,
      rows.map((row) => short.map((head) => cell(row, head))),
    ),
    ...lines,
  ].join('\n\n');
};

const cellCharactersMax = 60;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
