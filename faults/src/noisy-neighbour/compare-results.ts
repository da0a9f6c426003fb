import { readFile } from 'node:fs/promises';
import type { Result } from '../run-fault.ts';
import type { Row } from '../trial.ts';

const columns = [
  'probe p50',
  'probe p99',
  'probe longest',
  'mail taken longest',
  'mail readable longest',
  'lost',
  'twice',
  'RSS MB',
  'descriptors',
  'idle after 120 s',
  'largest answer MB',
  'ended',
  'broken',
];

/** Prints the results of each attack in two files as a table in Markdown. Returns false if they have no attack in common. */
export async function printComparison(files: string[]): Promise<boolean> {
  const [before, after] = await Promise.all(files.map(readRows));
  const lines = compareRows(before ?? [], after ?? []);
  console.log(lines.join('\n'));
  return lines.length > 2;
}

async function readRows(file: string): Promise<Row[]> {
  return (JSON.parse(await readFile(file, 'utf8')) as Result[]).flatMap(({ rows, database }) =>
    (rows ?? []).map((row) => ({ ...row, attack: `${row.attack}, ${database}` })),
  );
}

/** Returns the lines of a table in Markdown: each attack that is in both, with its values before and after. */
export function compareRows(before: Row[], after: Row[]): string[] {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const lines = before.flatMap((old) => {
    const now = after.find(({ attack }) => attack === old.attack);
    const cell = (name: string) =>
      old[name] === now?.[name] ? `${old[name]}` : `${old[name]} → ${now?.[name]}`;
    return now ? [line([String(old.attack), ...columns.map(cell)])] : [];
  });
  return [line(['attack', ...columns]), line(['---', ...columns.map(() => '---')]), ...lines];
}
