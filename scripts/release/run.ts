import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The output of a command, and how long it took. */
export interface Ran {
  output: string;
  /** The warnings and errors that it printed. */
  warnings: string;
  ms: number;
}

/** Runs a command to its end. @throws Error with the end of its output if it fails. */
export async function run(command: string[], options: SpawnOptions = {}): Promise<Ran> {
  const from = performance.now();
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, warnings] = ['', ''];
  child.stdout?.on('data', (part: Buffer) => {
    output += part.toString();
  });
  child.stderr?.on('data', (part: Buffer) => {
    warnings += part.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new Error(`${command.join(' ')} ended with code ${code}:\n${(output + warnings).slice(-4_000)}`);
  return { output, warnings, ms: performance.now() - from };
}

/** Functions that stop what a check has started. Each can be called again when that has stopped. */
export type Ends = (() => Promise<unknown>)[];

/** Stops everything, the last one first, also if something cannot be stopped. */
export async function stopAll(ends: Ends): Promise<void> {
  for (const end of ends.reverse())
    await end().catch((error) => console.log(`  not stopped: ${error.message}`));
}

/** A program that runs until it is stopped. */
export interface Running {
  /** Resolves to the first match in its output, or rejects with the output if it ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  output(): string;
  /** Resolves to the exit code once the program has ended. */
  ended: Promise<number | null>;
  /** Ends the program and what it started, and resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a program in a process group of its own, so that what npx starts ends with it. */
export function startProgram(command: string[], options: SpawnOptions = {}): Running {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      text += part.toString();
      child.emit('output');
    });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  // A caller that waits for it is told if the program cannot be started. Without one, nobody has to be.
  ended.catch(() => {});
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    until: async (pattern) => {
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        if (hasEnded()) throw new Error(`${command.join(' ')} ended:\n${text.slice(-4_000)}`);
        await Promise.race([once(child, 'output'), ended]);
      }
    },
    output: () => text,
    ended,
    stop: async () => {
      if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      return ended;
    },
  };
}
