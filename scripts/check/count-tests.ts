import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** How many tests did what. */
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
  name: string;
  status: string;
  /** What broke the file outside of its tests. */
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

const linesOfFailureMax = 6;

/**
 * Counts the tests of a report. A file that failed before it had a test counts as one failed test, and so does a run that failed
 * in any other way (an error outside of tests, no report at all): a failed run never has 0 failed.
 */
export const countTests = (file: string, runFailed: boolean): Counts => {
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
};

/** Names each test of a report that failed, with its file and the beginning of what it said. */
export const describeFailures = (file: string): string[] =>
  (readReport(file)?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${name}\n${firstLines(message)}`];
      return failed.map(
        (test) => `${name} > ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}`,
      );
    });

const firstLines = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, linesOfFailureMax)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');

const readReport = (file: string): Report | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
};

/** Adds up counts. */
export const addCounts = (all: Counts[]): Counts => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** Says counts in the words of the last line: `12 passed, 0 failed`. */
export const sayCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
