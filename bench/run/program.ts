import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMemory, resetPeakMemory } from '@postrider/testkit/servers/process-memory.ts';

/** A program that runs alongside the bench until it is stopped. */
export interface Program<Ready> {
  pid: number;
  /** The value that it printed when it was ready. */
  ready: Ready;
  /** Returns its resident memory now and at its peak, in MB. */
  memory(): { now: number; peak: number };
  resetPeakMemory(): void;
  stop(): Promise<void>;
}

const stopWaitMs = 12_000;
const running = new Set<ChildProcess>();
// However the bench ends, nothing that it started keeps running.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

interface LaunchOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Starts a program. Resolves once `isReady` returns a value for its output, and rejects with the output if it ends before. */
export async function startProgram<Ready>(
  command: string[],
  isReady: (output: string) => Ready | null,
  options: LaunchOptions = {},
): Promise<Program<Ready>> {
  const child = launch(command, options);
  return wrapProgram(child, await untilReady(child, isReady));
}

/** Starts a program. Resolves once it listens on a port. Its output matters only if it ends before. */
export async function startListener(
  command: string[],
  port: number,
  options: LaunchOptions = {},
): Promise<Program<void>> {
  const child = launch(command, options);
  const isOver = new AbortController();
  try {
    await Promise.race([untilReady(child, () => null), untilListening(port, isOver.signal)]);
  } finally {
    isOver.abort();
  }
  return wrapProgram(child, undefined);
}

function launch(command: string[], options: LaunchOptions): ChildProcess {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

function wrapProgram<Ready>(child: ChildProcess, ready: Ready): Program<Ready> {
  const pid = child.pid ?? 0;
  return {
    pid,
    ready,
    memory: () => readMemory(pid),
    resetPeakMemory: () => resetPeakMemory(pid),
    stop: () => end(child),
  };
}

const listenWaitMsMax = 30_000;
const greetingWaitMs = 2_000;

async function untilListening(port: number, isOver: AbortSignal): Promise<void> {
  for (const deadline = performance.now() + listenWaitMsMax; performance.now() < deadline; ) {
    isOver.throwIfAborted();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    const isUp = await once(socket, 'data', { signal: AbortSignal.timeout(greetingWaitMs) }).then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await sleep(100);
  }
  throw new Error(`Nobody listens on port ${port}.`);
}

function untilReady<Ready>(child: ChildProcess, isReady: (output: string) => Ready | null): Promise<Ready> {
  return new Promise((resolve, reject) => {
    let output = '';
    let isUp = false;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        // Warnings under load are shown, because they explain why a figure is low.
        if (isUp) process.stderr.write(text);
        else output += text;
        const ready = isUp ? null : isReady(output);
        if (ready === null) return;
        isUp = true;
        resolve(ready);
      });
    child.once('error', reject);
    child.once('close', (code, signal) => reject(new Error(`It ended with ${code ?? signal}:\n${output}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const kill = setTimeout(() => child.kill('SIGKILL'), stopWaitMs);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(kill);
}

const idleWaitMsMax = 30_000;
const idleSampleMs = 500;
const idleShare = 0.05;

/**
 * Waits until all processes that this one started, and those that they started, use less than a twentieth of a core together, so that work
 * left behind does not fall into the next turn.
 */
export async function untilIdle(): Promise<void> {
  for (const deadline = performance.now() + idleWaitMsMax; performance.now() < deadline; ) {
    const before = readProcessorMs();
    await sleep(idleSampleMs);
    const used = [...readProcessorMs()].map(([pid, ms]) => ms - (before.get(pid) ?? 0));
    if (used.reduce((sum, ms) => sum + ms, 0) < idleSampleMs * idleShare) return;
  }
}

/** Returns the processor time that each of them has taken so far. Postgres works in children of its own. */
function readProcessorMs(): Map<string, number> {
  const msPerTick = 10;
  const found = new Map<string, number>();
  const look = (parent: string) => {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g) ?? [];
    for (const pid of children)
      try {
        // The name, in parentheses, may have spaces (proc(5)).
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
        found.set(pid, (Number(fields[11]) + Number(fields[12])) * msPerTick);
        look(pid);
      } catch {
        // It has ended meanwhile.
      }
  };
  look(String(process.pid));
  return found;
}

/** Runs one of the programs of the bench with its order as JSON. Returns the JSON of its last line. */
export async function runScript<Result>(script: URL, order: unknown): Promise<Result> {
  const child = spawn(process.execPath, [script.pathname, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  if (code !== 0 || line === '') throw new Error(`${script.pathname} ended with ${code}.`);
  return JSON.parse(line) as Result;
}

/** Starts one of the programs of the bench, which prints a line of JSON when it is ready. */
export function startScript<Ready>(script: URL, order: unknown): Promise<Program<Ready>> {
  return startProgram([process.execPath, script.pathname, JSON.stringify(order)], (output) => {
    const line = /^\{.*\}$/m.exec(output)?.[0];
    return line === undefined ? null : (JSON.parse(line) as Ready);
  });
}
