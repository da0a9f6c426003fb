import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { Result } from './run-fault.ts';
import type { Row } from './trial.ts';

const folder = new URL('../results/', import.meta.url);
const page = new URL('../RESULTS.md', import.meta.url);

/** Updates RESULTS.md with the runs in `results/`, of each the latest. Rows of other runs stay. Returns whether there are any runs. */
export async function writeResults(): Promise<boolean> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  const results = texts
    .flatMap((text) => JSON.parse(text) as Result[])
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  await writeFile(page, mergePage(await readFile(page, 'utf8').catch(() => ''), results));
  console.log(`RESULTS.md has ${results.length} runs of results/.`);
  return results.length > 0;
}

const runHead = ['fault', 'database', 'run', 'done', 'date', 'seconds', 'seed', 'verdict'];
const attackHead = [
  'attack',
  'database',
  'p50',
  'p99',
  'longest',
  'taken',
  'listed',
  'events p99',
  'RSS MB',
  'lost',
  'twice',
  'broken',
];

const verdictHead = ['mail', 'database', 'run', 'SPF', 'DKIM', 'DMARC'];

/** Returns the page with the rows of these results. Each replaces the row for the same run. */
export function mergePage(before: string, results: Result[]): string {
  const runs = mergeRows(rowsBelow(before, runHead), results.map(runRow), 4);
  const attacks = results
    .filter(({ fault, control }) => fault === 'noisy-neighbour' && !control)
    .flatMap(attackRows);
  const parts = [
    '# What the faults showed',
    '`pnpm faults results` writes the runs in `results/` into this page. A trial passes when each of its invariants holds. A control passes when what it has to break is broken. [README.md](README.md) says what each does.',
    table(runHead, runs),
    '## noisy-neighbour',
    'What an honest tenant sees beside each attack: its `GET /v1/inboxes` (median, 99th percentile and longest), the longest wait of a mail for its 250 and from then until it is listed, and of its events, all in milliseconds.',
    table(attackHead, mergeRows(rowsBelow(before, attackHead), attacks, 2)),
    '## real-mail',
    'What the receiver of each mail found: a Postfix with OpenDKIM, OpenDMARC and policyd-spf, or the server for mail that comes to it. In the control, DNS has other keys and SPF records for another host.',
    table(verdictHead, verdictRows(rowsBelow(before, verdictHead), results)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function runRow(result: Result): string[] {
  return [
    result.fault,
    result.database,
    result.control ? 'control' : 'trial',
    describeLength(result),
    result.at.slice(0, 10),
    String(result.tookSeconds),
    String(result.seed),
    describeVerdict(result),
  ];
}

function describeVerdict({ passed, control, findings, error }: Result): string {
  if (error) return `**not run to its end**: ${error.split('\n')[0]?.replaceAll('|', '/')}`;
  if (control) return passed ? 'caught' : '**not caught**';
  if (passed) return `passed, ${findings.length} invariants`;
  const broken = findings
    .filter(({ holds }) => !holds)
    .map(({ invariant, value }) => `${invariant}: ${value}`);
  return `**failed**: ${broken.join('; ')}`;
}

function describeLength({ minutes, processes, times, unit = 'times' }: Result): string {
  const length = minutes ? `${minutes} minutes` : `${times} ${unit}`;
  return processes ? `${length}, ${processes} processes` : length;
}

function verdictRows(before: string[][], results: Result[]): string[][] {
  const rows = results
    .filter(({ fault }) => fault === 'real-mail')
    .flatMap(({ database, control, rows = [] }) =>
      rows.map((row) => {
        const [mail, ...verdicts] = ['mail', 'SPF', 'DKIM', 'DMARC'].map((head) => String(row[head] ?? ''));
        return [mail ?? '', database, control ? 'control' : 'trial', ...verdicts];
      }),
    );
  return mergeRows(before, rows, 3);
}

function attackRows({ database, minutes, processes, rows = [] }: Result): string[][] {
  return rows.map((row: Row) => {
    const cell = (head: string) => String(row[head] ?? '');
    const length = minutes ? `, ${minutes} minutes, ${processes ?? 1} processes` : '';
    const times = ['probe p50', 'probe p99', 'probe longest', 'mail taken longest', 'mail readable longest'];
    const others = ['events p99', 'RSS MB', 'lost', 'twice', 'broken'];
    return [`${cell('attack')}${length}`, database, ...[...times, ...others].map(cell)];
  });
}

/** Returns the rows of the table on a page that has this head. */
function rowsBelow(text: string, head: string[]): string[][] {
  const lines = text.split('\n');
  const at = lines.indexOf(formatLine(head));
  if (at < 0) return [];
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  return lines.slice(at + 2, end < 0 ? undefined : end).map((line) => line.slice(2, -2).split(' | '));
}

/** Returns the rows in order, with those replaced that begin with the same cells. */
function mergeRows(old: string[][], rows: string[][], keyCells: number): string[][] {
  const rowKey = (cells: string[]) => cells.slice(0, keyCells).join(' | ');
  const byKey = new Map([...old, ...rows].map((cells) => [rowKey(cells), cells]));
  return [...byKey.values()].toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1));
}

function formatLine(cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map(formatLine).join('\n');
}
