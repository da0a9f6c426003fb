import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addCounts,
  countTests,
  describeFailures,
  describeSlowest,
  sayCounts,
  timeFiles,
} from './count-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'count-tests-'));
afterAll(() => rmSync(folder, { recursive: true }));

const reportWith = (numbers: object, testResults: object[] = []): string => {
  const file = join(folder, `${Math.random()}.json`);
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  writeFileSync(file, JSON.stringify({ ...none, ...numbers, testResults }));
  return file;
};

describe('countTests', () => {
  it('takes the totals of the report', () => {
    const file = reportWith({ numPassedTests: 7, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 });
    expect(countTests(file, true)).toEqual({ passed: 7, failed: 2, skipped: 2 });
  });

  it('counts a file that does not load as one failed test', () => {
    const file = reportWith({ numPassedTests: 7, numFailedTests: 1 }, [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ]);
    expect(countTests(file, true)).toEqual({ passed: 7, failed: 2, skipped: 0 });
  });

  it('counts a failure outside of tests, so that a failed run never has 0 failed', () => {
    expect(countTests(reportWith({ numPassedTests: 7 }), true)).toEqual({ passed: 7, failed: 1, skipped: 0 });
  });

  it('counts a run that left no report, or half of one, as one failed test', () => {
    const half = join(folder, 'half.json');
    writeFileSync(half, '{"numPassedTests": 7, ');
    expect(countTests(join(folder, 'none.json'), true).failed).toBe(1);
    expect(countTests(half, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

it('names each test that failed, with the beginning of its message', () => {
  const message = `\u001b[31mError: not 200\u001b[39m\n${'at a line\n'.repeat(20)}`;
  const file = reportWith({}, [
    {
      name: 'a.spec.ts',
      status: 'failed',
      assertionResults: [
        { status: 'failed', fullName: 'answers 200', failureMessages: [message] },
        { status: 'passed', fullName: 'answers', failureMessages: [] },
      ],
    },
    { name: 'b.spec.ts', status: 'failed', message: 'SyntaxError: here', assertionResults: [] },
    { name: 'c.spec.ts', status: 'passed', message: '', assertionResults: [] },
  ]);
  const [first, ...others] = describeFailures(file);
  expect(first?.split('\n').slice(0, 2)).toEqual(['a.spec.ts > answers 200', '    Error: not 200']);
  expect(first?.split('\n')).toHaveLength(7);
  expect(others).toEqual(['b.spec.ts\n    SyntaxError: here']);
  expect(describeFailures(join(folder, 'none.json'))).toEqual([]);
});

it('names the ten slowest files, the slowest first', () => {
  const testResults = Array.from({ length: 12 }, (_, index) => ({
    name: join(folder, 'server', `${index}.test.ts`),
    startTime: 1_000,
    endTime: 1_000 + index * 1_500,
  }));
  const lines = describeSlowest(timeFiles(reportWith({}, testResults), folder));
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe(`   16.5 s  ${join('server', '11.test.ts')}`);
  expect(lines[9]).toContain('3.0 s');
  expect(describeSlowest(timeFiles(join(folder, 'none.json'), folder))).toEqual([]);
});

it('says the totals in one plain line, skipped ones only when there are any', () => {
  expect(sayCounts(addCounts([]))).toBe('0 passed, 0 failed');
  const counts = addCounts([
    { passed: 2, failed: 0, skipped: 0 },
    { passed: 3, failed: 1, skipped: 4 },
  ]);
  expect(sayCounts(counts)).toBe('5 passed, 1 failed, 4 skipped');
});
