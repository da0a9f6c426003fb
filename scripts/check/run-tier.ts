import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Counts, countTests, describeFailures, type FileTime, timeFiles } from './count-tests.ts';
import { readTimes, withTimes } from './processor-time.ts';
import type { Command, Tier } from './tiers.ts';

/** Only catches hangs: how long a tier takes depends on what else the machine does. */
const tierTimeMaxMs = 60 * 60_000;
const running = new Set<ChildProcess>();

/** The outcome of a tier. `counts` is null if there are no tests to count. */
export interface TierResult {
  name: string;
  ok: boolean;
  counts: Counts | null;
  durationMs: number;
  /** Of all its processes; null if one of its commands was killed. */
  processorSeconds: number | null;
  output: string;
  /** The time of each test file, if there is a report. */
  files: FileTime[];
  /** The tests that failed, if there is a report. */
  failures: string[];
}

/** The options of a run, which tiers may share. */
export interface RunOptions {
  rootFolder: string;
  /** Whether to show the output as it comes, instead of keeping it. */
  live: boolean;
  /** Whether another lane runs beside that of the tier. */
  isBeside: boolean;
  /** Runs work once there is a free place, for commands that run side by side. */
  withPlace<T>(work: () => Promise<T>): Promise<T>;
}

/** Runs all commands of a tier, even if one of them fails. */
export async function runTier(tier: Tier, options: RunOptions): Promise<TierResult> {
  const { rootFolder, live, isBeside, withPlace } = options;
  const { workersBeside } = tier;
  const limits = { ...tier.limits, ...(isBeside && workersBeside && { workers: workersBeside }) };
  const report = tier.report ? join(rootFolder, tier.report) : null;
  if (report) {
    rmSync(report, { force: true });
    mkdirSync(dirname(report), { recursive: true });
  }
  let durationMs = 0;
  const results = await Promise.all(
    tier.commands(rootFolder, limits).map((command) =>
      withPlace(async () => {
        const startedAt = performance.now();
        const result = await run(command, rootFolder, live);
        durationMs += performance.now() - startedAt;
        return result;
      }),
    ),
  );
  const ok = results.every((result) => result.ok);
  const counts = report ? countTests(report, !ok) : null;
  const failures = report ? describeFailures(report) : [];
  const files = report ? timeFiles(report, rootFolder) : [];
  const output = results.map((result) => result.output).join('');
  const processorSeconds = addUp(results.map((result) => result.processorSeconds));
  return { name: tier.name, ok, counts, durationMs, processorSeconds, output, files, failures };
}

/** Ends everything that still runs. It is for when the check itself is asked to stop. */
export function stopRunning(signal: NodeJS.Signals): void {
  for (const child of running) endGroup(child, signal);
}

function addUp(seconds: (number | null)[]): number | null {
  return seconds.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

interface CommandResult {
  ok: boolean;
  output: string;
  processorSeconds: number | null;
}

function run(command: Command, cwd: string, live: boolean): Promise<CommandResult> {
  const [program, args] = withTimes(process.execPath, ['--disable-warning=ExperimentalWarning', ...command]);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: checkEnvironment(cwd),
      stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe', 'pipe'],
      // Its own process group, so that its workers end with it.
      detached: true,
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    let times = '';
    child.stdio[3]?.on('data', (bytes: Buffer) => {
      times += bytes;
    });
    const timer = setTimeout(() => {
      output += `\nStopped after ${tierTimeMaxMs / 60_000} minutes.\n`;
      endGroup(child, 'SIGKILL');
    }, tierTimeMaxMs);
    child.once('error', (error) => {
      output += error.message;
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ok: code === 0, output, processorSeconds: readTimes(times) });
    });
  });
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // It ended by itself in the meantime.
  }
}

/**
 * Returns the environment of a command. The developer's own settings must not reach the tests, and many processes load the same modules.
 */
function checkEnvironment(rootFolder: string): NodeJS.ProcessEnv {
  const own = (name: string) =>
    name === 'DATABASE_URL' || (name.startsWith('POSTRIDER_') && !name.startsWith('POSTRIDER_TEST_'));
  const kept = Object.entries(process.env).filter(([name]) => !own(name));
  // Tools must not look for newer versions of themselves.
  return {
    ...Object.fromEntries(kept),
    NODE_COMPILE_CACHE: join(rootFolder, 'node_modules', '.cache', 'compiled'),
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
}
