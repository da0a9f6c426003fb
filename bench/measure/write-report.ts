import { readdir, readFile, writeFile } from 'node:fs/promises';
import { columns, rowOf } from './print-outcomes.ts';
import type { Result } from './result.ts';

/** Writes RESULTS.md from the files of the last run of each group. */
export const writeReport = async (resultsFolder: URL): Promise<void> => {
  const names = (await readdir(resultsFolder)).filter((name) => name.endsWith('.json')).sort();
  const results = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(new URL(name, resultsFolder), 'utf8')) as Result),
  );
  const text = [intro, ...results.map(sectionOf)].join('\n\n');
  await writeFile(new URL('../RESULTS.md', resultsFolder), `${text}\n`);
};

const intro = `# Results

Written by \`pnpm bench report\` from the last run of each group in \`results/\`. A ratio compares two rates of one round; the
figures are medians of the rounds. "Pass" means that the floor holds, "target" that the target is reached too, and "not judged"
that the baseline strayed more than 40 % from its own median. [README.md](README.md) says what is compared with what.`;

const sectionOf = ({
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
}: Result): string => {
  const table = [columns, columns.map(() => '---'), ...outcomes.map(rowOf)];
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `## ${group}${followed ? ', followed by a webhook and ten sockets' : ''}`,
    '',
    ...table.map((row) => `| ${row.join(' | ')} |`),
    '',
    `${at.slice(0, 10)}, ${rounds} rounds, ${seconds} s sustained, seed ${seed}, ${took} s in all. ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB, ${machine.kernel}, load before the run ${machine.loadBefore}.`,
    `Versions: ${named.join(', ')}.`,
  ].join('\n');
};
