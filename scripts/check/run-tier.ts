import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Counts, countTests, describeFailures } from './count-tests.ts';
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
  output: string;
  /** The tests that failed, if there is a report. */
  failures: string[];
}

/** The options of a run, which tiers may share. */
export interface RunOptions {
  rootFolder: string;
  /** Whether to show the output as it comes, instead of keeping it. */
  live: boolean;
  /** Runs work once there is a free place, for commands that run side by side. */
  withPlace<T>(work: () => Promise<T>): Promise<T>;
}

/** Runs all commands of a tier, even if one of them fails. */
export async function runTier(tier: Tier, options: RunOptions): Promise<TierResult> {
  const { rootFolder, live, withPlace } = options;
  const report = tier.report ? join(rootFolder, tier.report) : null;
  if (report) {
    rmSync(report, { force: true });
    mkdirSync(dirname(report), { recursive: true });
  }
  let durationMs = 0;
  const results = await Promise.all(
    tier.commands(rootFolder).map((command) =>
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
  const output = results.map((result) => result.output).join('');
  return { name: tier.name, ok, counts, durationMs, output, failures };
}

/** Ends everything that still runs. It is for when the check itself is asked to stop. */
export function stopRunning(signal: NodeJS.Signals): void {
  for (const child of running) endGroup(child, signal);
}

function run(command: Command, cwd: string, live: boolean): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
      cwd,
      env: checkEnvironment(cwd),
      stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
      // Its own process group, so that its workers end with it.
      detached: true,
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
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
      resolve({ ok: code === 0, output });
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
