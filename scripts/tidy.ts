import { fileURLToPath } from 'node:url';
import { checkCeilings } from './tidy/check-ceilings.ts';
import { checkFunctionTests } from './tidy/check-function-tests.ts';
import { checkGaps } from './tidy/check-gaps.ts';
import { checkImports } from './tidy/check-imports.ts';
import { checkLiterals } from './tidy/check-literals.ts';
import { checkNames } from './tidy/check-names.ts';
import { checkParameters } from './tidy/check-parameters.ts';
import { checkPrivateMembers } from './tidy/check-private-members.ts';
import { checkQueries } from './tidy/check-queries.ts';
import { checkSpecRules, readCoverage } from './tidy/check-spec-rules.ts';
import { checkWords } from './tidy/check-words.ts';
import { figures } from './tidy/figures.ts';
import { type Check, type Finding, readSources, type SourceFile } from './tidy/source-file.ts';

const rootFolder = fileURLToPath(new URL('../', import.meta.url));

const checks: Check[] = [
  checkImports,
  checkNames,
  checkLiterals,
  checkQueries,
  checkParameters,
  checkWords,
  (files) => checkSpecRules(files),
  checkGaps,
  checkFunctionTests,
  (files) => checkPrivateMembers(files),
  checkCeilings,
];

function printFindings(findings: Finding[]): void {
  const byPlace = (a: Finding, b: Finding) => a.path.localeCompare(b.path) || a.line - b.line;
  for (const { path, line, message } of findings.toSorted(byPlace)) console.log(`${path}:${line} ${message}`);
}

function printRules(files: SourceFile[]): void {
  const { rules, uncovered } = readCoverage(files);
  for (const { id, text } of uncovered) console.log(`${id.padEnd(40)} ${text.slice(0, 100)}`);
  console.log(`${rules.length - uncovered.length} of ${rules.length} rules have a test that names them.`);
}

/** Prints every place of a figure that has a ceiling. */
function printPlaces(files: SourceFile[], name: string): void {
  const figure = figures.find((one) => one.name === name);
  if (!figure)
    throw new Error(`No figure has this name. There are: ${figures.map((one) => one.name).join(' · ')}`);
  printFindings(figure.places(files));
}

const files = readSources(rootFolder);
const shownFigure = process.argv[process.argv.indexOf('--places') + 1];
if (process.argv.includes('--rules')) printRules(files);
else if (process.argv.includes('--places')) printPlaces(files, shownFigure ?? '');
else {
  const findings = checks.flatMap((check) => check(files));
  printFindings(findings);
  console.log(`${files.length} files, ${findings.length} to change`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
