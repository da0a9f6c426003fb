import { basename } from 'node:path';
import type { Finding, SourceFile } from './source-file.ts';

const gapsPath = 'docs/spec/gaps.md';

/** A test as a row names it: a file, alone or with words from it. */
const namedTest = /`([\w.-]+\.(?:spec|test)\.ts)(?:: ([^`]+))?`/g;
const later = /\bwith (?:its|their) part\b/;

/** Checks that every choice on which the specification is silent names the tests that cover it, or the part that will bring them. */
export function checkGaps(files: SourceFile[]): Finding[] {
  const lines = files.find(({ path }) => path === gapsPath)?.text.split('\n') ?? [];
  const tests = files.filter(({ isTest }) => isTest);
  return lines.flatMap((text, index) =>
    isRow(lines, index)
      ? findProblems(text, tests).map((message) => ({ path: gapsPath, line: index + 1, message }))
      : [],
  );
}

/** Returns whether a line is a row of a table, and neither its head nor the rule below it. */
function isRow(lines: string[], index: number): boolean {
  const isRule = (text: string | undefined) => /^\|[-|:\s]+$/.test(text ?? '');
  return (lines[index]?.startsWith('|') ?? false) && !isRule(lines[index]) && !isRule(lines[index + 1]);
}

function findProblems(row: string, tests: SourceFile[]): string[] {
  const cell = row.trim().replace(/\|$/, '').split('|').at(-1) ?? '';
  const named = [...cell.matchAll(namedTest)];
  if (named.length === 0 && !later.test(cell))
    return ['this row names no test: say which file holds it, or "with its part" when that is not built'];
  return named.flatMap(([, file = '', words]) => {
    const found = tests.filter(({ path }) => basename(path) === file);
    if (found.length === 0) return [`there is no test file ${file}`];
    return words === undefined || found.some(({ text }) => text.includes(words))
      ? []
      : [`"${words}" does not stand in ${file}`];
  });
}
