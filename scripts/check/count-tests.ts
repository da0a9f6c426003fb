import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The number of tests by outcome. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: FileReport[];
}

interface FileReport {
  /** The absolute path of the file. */
  name: string;
  /** The start of its first test and the end of its last one, in milliseconds. */
  startTime: number;
  endTime: number;
  status: string;
  /** The error outside of its tests. */
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

/** The time of a test file, from its first test to its last. */
export interface FileTime {
  path: string;
  ms: number;
}

const linesOfFailureMax = 6;
const slowestMax = 10;

/**
 * Counts the tests of a report. A file that failed before it had a test counts as one failed test. So does a run that failed in any other
 * way, such as an error outside of tests or no report at all. A failed run therefore never has 0 failed tests.
 */
export function countTests(file: string, runFailed: boolean): Counts {
  const report = readReport(file);
  if (report === null) return { passed: 0, failed: runFailed ? 1 : 0, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return {
    passed: report.numPassedTests,
    failed: runFailed ? Math.max(1, failed) : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Returns each failed test of a report, with its file and the beginning of its message. */
export function describeFailures(file: string): string[] {
  return (readReport(file)?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${name}\n${firstLines(message)}`];
      return failed.map(
        (test) => `${name} > ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}`,
      );
    });
}

/** Returns the time of each test file of a report. */
export function timeFiles(file: string, rootFolder: string): FileTime[] {
  return (readReport(file)?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    path: relative(rootFolder, name),
    ms: endTime - startTime,
  }));
}

/** Returns a line for each of the slowest test files, the slowest first. */
export function describeSlowest(times: FileTime[]): string[] {
  return times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowestMax)
    .map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`);
}

function firstLines(text: string): string {
  return stripVTControlCharacters(text)
    .split('\n')
    .slice(0, linesOfFailureMax)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** Adds up counts. */
export function addCounts(all: Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** Returns counts in the words of the last line: `12 passed, 0 failed`. */
export function sayCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
