import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Trial } from '../trial.ts';

const core = '0';
const busyLoops = 2;
const stopMs = 5_000;
/** In a turn of a tenth of a second, the server runs for a fifth. */
const quota = { runMs: 20, stopMs: 80 };
const phaseMs = 20_000;

/** A server that has too little of a processor. */
export interface Starving {
  /** Lets the server have the whole machine again. */
  stop(): Promise<void>;
}

/**
 * Starves the process of a server on one core, in phases that follow each other: it is stopped for 5 s at a random moment, it has a fifth
 * of the core, and it shares the core with two busy loops.
 */
export function starve(trial: Trial, pid: number): Starving {
  const isPinned = spawnSync('taskset', ['-a', '-c', '-p', core, String(pid)]).status === 0;
  trial.figure('pinned to one core', isPinned ? 1 : 0);
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const halt = async (ms: number) => {
    process.kill(pid, 'SIGSTOP');
    await pause(ms);
    process.kill(pid, 'SIGCONT');
  };
  const phases = [
    async () => {
      await pause(trial.random() * 2_000);
      await halt(stopMs);
      trial.count('stops of 5 s');
    },
    async () => {
      const until = performance.now() + phaseMs;
      while (performance.now() < until && !signal.aborted) {
        await halt(quota.stopMs);
        await pause(quota.runMs);
      }
      trial.count('phases at a fifth of a core');
    },
    async () => {
      const loops = Array.from({ length: busyLoops }, () => busyLoop(isPinned));
      await pause(phaseMs);
      for (const loop of loops) loop.kill('SIGKILL');
      trial.count('phases beside busy loops');
    },
  ];
  const ended = (async () => {
    for (let at = 0; !signal.aborted; at++) await phases[at % phases.length]!();
  })();
  return {
    stop: async () => {
      ending.abort();
      await ended;
      if (isPinned) spawnSync('taskset', ['-a', '-c', '-p', '0-1023', String(pid)]);
    },
  };
}

function busyLoop(isPinned: boolean): ChildProcess {
  const program = [process.execPath, '--eval', 'for (;;);'];
  const [command = '', ...args] = isPinned ? ['taskset', '-c', core, ...program] : program;
  return spawn(command, args, { stdio: 'ignore' });
}
