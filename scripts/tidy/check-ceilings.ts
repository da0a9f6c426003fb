import { ceilings, folderCeilings } from './ceilings.ts';
import { figures, folderFilesMax, fullFolders } from './figures.ts';
import type { Check, Finding } from './source-file.ts';

const path = 'scripts/tidy/ceilings.ts';

/** Checks that what should become less does not become more, and that its ceiling sinks with it. */
export const checkCeilings: Check = (files) => [
  ...figures.flatMap(({ name, advice, places }) =>
    compare(name, places(files).length, ceilings[name] ?? 0, advice),
  ),
  ...checkFolders(fullFolders(files)),
];

function checkFolders(full: Map<string, number>): Finding[] {
  const advice = `a folder tells its story in ${folderFilesMax} files: divide it, or put together what belongs together`;
  const names = new Set([...full.keys(), ...Object.keys(folderCeilings)]);
  return [...names].flatMap((name) =>
    compare(
      `source files in ${name}`,
      full.get(name) ?? folderFilesMax,
      folderCeilings[name] ?? folderFilesMax,
      advice,
    ),
  );
}

function compare(name: string, count: number, ceiling: number, advice: string): Finding[] {
  if (count === ceiling) return [];
  const message =
    count < ceiling
      ? `${name}: ${count}, so lower the ceiling from ${ceiling}`
      : `${name}: ${count}, and the ceiling is ${ceiling}: ${advice} (node scripts/tidy.ts --places "${name}")`;
  return [{ path, line: 1, message }];
}
