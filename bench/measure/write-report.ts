import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { Outcome } from './goal.ts';
import { columns, outcomeCells } from './print-outcomes.ts';
import type { Result } from './result.ts';

/** Updates RESULTS.md with the runs in a folder. Sections of groups without a run there stay as they are. */
export async function writeReport(resultsFolder: URL): Promise<void> {
  const page = new URL('../RESULTS.md', resultsFolder);
  const names = (await readdir(resultsFolder)).filter((name) => name.endsWith('.json'));
  const results = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(new URL(name, resultsFolder), 'utf8')) as Result),
  );
  await writeFile(
    page,
    mergeSections(await readFile(page, 'utf8').catch(() => ''), results.map(formatSection)),
  );
}

/** Returns a page in which new sections replace those with the same heading, in the order of their headings. */
export function mergeSections(page: string, sections: string[]): string {
  const [, ...old] = page.split(/^(?=## )/m);
  const byHeading = new Map(
    [...old, ...sections].map((section) => [section.split('\n')[0] ?? '', section.trim()]),
  );
  const inOrder = [...byHeading].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
  return `${[intro, ...inOrder].join('\n\n')}\n`;
}

const intro = `# Results

\`pnpm bench report\` writes the runs in \`results/\` into this page, a section for each group. A ratio compares two rates of one round;
the figures are medians of the rounds. "Pass" means that the floor holds, "target" that the target is reached too, and "not judged"
that the baseline strayed more than 40 % from its own median. [README.md](README.md) says what is compared with what.`;

function formatSection({
  group,
  followed,
  at,
  rounds,
  seconds,
  seed,
  took,
  machine,
  versions,
  outcomes,
  tables = [],
  comparisons,
}: Omit<Result, 'tables'> & Partial<Pick<Result, 'tables'>>): string {
  const shown = group === 'lists' ? worstLists(outcomes) : outcomes;
  const more = tables.flatMap((table) => [
    '',
    `${table.title}:`,
    '',
    ...formatMarkdown(table.columns, table.rows),
  ]);
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `## ${group}${followed ? ', followed by a webhook and ten sockets' : ''}${comparisons ? ', against an older server' : ''}`,
    '',
    ...formatMarkdown(columns, shown.map(outcomeCells)),
    ...more,
    '',
    `${at.slice(0, 10)}, ${rounds} rounds, ${seconds} s sustained, seed ${seed}, ${took} s in all. ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB, ${machine.kernel}, load before the run ${machine.loadBefore}.`,
    `Versions: ${named.join(', ')}.`,
  ].join('\n');
}

function formatMarkdown(head: string[], rows: string[][]): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}

/** Returns the slowest list of each noun, by median and by 95th percentile, among those that can be judged. */
export function worstLists(outcomes: Outcome[]): Outcome[] {
  const outcomeKind = ({ what }: Outcome) => `${what.split(', ')[0]}, ${what.split(', ').at(-1)}`;
  return [...Map.groupBy(outcomes, outcomeKind)].flatMap(([kind, all]) => {
    const judged = all.filter(({ verdict }) => verdict !== 'not judged');
    const [worst] = (judged.length > 0 ? judged : all).toSorted((a, b) => (b.median ?? 0) - (a.median ?? 0));
    if (!worst) return [];
    const note = `the slowest of ${judged.length} lists, and ${all.length - judged.length} not judged: ${worst.what}`;
    return [{ ...worst, id: 'P17', what: kind, note }];
  });
}
