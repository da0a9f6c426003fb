import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { measureUnit, readTimes, withTimes } from './processor-time.ts';

const calculation = 'const end = process.cpuUsage().user + 100_000; while (process.cpuUsage().user < end);';

function run(program: string, ...args: string[]) {
  const [shell, words] = withTimes(program, args);
  const { status, stdout, output } = spawnSync(shell, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return { status, stdout, seconds: readTimes(output[3] ?? '') };
}

describe('withTimes', () => {
  it('measures a command with the processes below it', () => {
    const parent = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(calculation)}])`;
    const alone = run(process.execPath, '-e', calculation).seconds;
    const below = run(process.execPath, '-e', `${parent}; ${calculation}`).seconds;
    expect(alone).toBeGreaterThan(0.1);
    expect(below).toBeGreaterThan(0.2);
  });

  it('does not measure waiting', () => {
    expect(run('sh', '-c', 'sleep 0.5').seconds).toBeLessThan(0.3);
  });

  it('keeps the arguments, the output and the exit code', () => {
    expect(run('sh', '-c', 'echo "$1"; exit 7', 'sh', 'a "b" $c')).toMatchObject({
      status: 7,
      stdout: 'a "b" $c\n',
    });
  });

  it('does not wait for a process that outlives the command', () => {
    const startedAt = performance.now();
    run('sh', '-c', 'sleep 20 > /dev/null 2>&1 &');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

it('reads the times of the shells of several systems', () => {
  expect(readTimes('0m0.00s 0m0.00s\n1m2.50s 0m0.25s\n')).toBeCloseTo(62.75);
  expect(readTimes('0m0.001s 0m0.002s\n0m1.500s 2m0.000s\n')).toBeCloseTo(121.5);
  expect(readTimes('0m0,001s 0m0,002s\n0m1,500s 0m0,000s\n')).toBeCloseTo(1.5);
});

it('has no times of a command that was killed', () => {
  expect(readTimes('')).toBeNull();
  expect(readTimes('0m0.00s 0m0.00s\n')).toBeNull();
});

it('measures a fixed calculation', () => {
  const [first, second] = [measureUnit(), measureUnit()];
  expect(first).toBeGreaterThan(0);
  expect(first / second).toBeGreaterThan(0.3);
  expect(first / second).toBeLessThan(3);
});
