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

/** Prints what two files of results show of each attack as a table in Markdown; false when they have no attack in common. */
export const printComparison = async (files: string[]): Promise<boolean> => {
  const [before, after] = await Promise.all(files.map(rowsOf));
  const lines = compareRows(before ?? [], after ?? []);
  console.log(lines.join('\n'));
  return lines.length > 2;
};

const rowsOf = async (file: string): Promise<Row[]> =>
  (JSON.parse(await readFile(file, 'utf8')) as Result[]).flatMap(({ rows, database }) =>
    (rows ?? []).map((row) => ({ ...row, attack: `${row.attack}, ${database}` })),
  );

/** Lines of a table in Markdown: each attack of both, with what was seen before and after. */
export const compareRows = (before: Row[], after: Row[]): string[] => {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const lines = before.flatMap((old) => {
    const now = after.find(({ attack }) => attack === old.attack);
    const cell = (name: string) =>
      old[name] === now?.[name] ? `${old[name]}` : `${old[name]} → ${now?.[name]}`;
    return now ? [line([String(old.attack), ...columns.map(cell)])] : [];
  });
  return [line(['attack', ...columns]), line(['---', ...columns.map(() => '---')]), ...lines];
};
