/* Calls between this program and the processes that it divides its work among. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

interface Question {
  id: number;
  name: string;
  value: unknown;
}

interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

/** A process with functions that can be called. */
export interface Child {
  /** Calls a function of the child. Rejects if it throws or the child ends. */
  ask<T>(name: string, value?: unknown): Promise<T>;
  /** Ends the child. */
  end(): Promise<void>;
}

/**
 * Starts a file of this folder as a process, which ends with this one at the latest. With `wrapper`, a command and its arguments, that
 * command starts it.
 */
export function startChild(file: string, wrapper: string[] = []): Child {
  const [execPath = process.execPath, ...rest] = wrapper;
  const child = fork(new URL(file, import.meta.url), {
    serialization: 'advanced',
    ...(wrapper.length > 0 ? { execPath, execArgv: [...rest, process.execPath] } : {}),
  });
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  child.on('message', ({ id, value, error }: Answer) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(`${file}: ${error}`));
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of open.values()) reject(new Error(`${file} ended with ${code ?? signal}.`));
    open.clear();
  });
  return {
    ask: <T>(name: string, value?: unknown) =>
      new Promise<T>((resolve, reject) => {
        const id = asked++;
        open.set(id, { resolve: resolve as (value: unknown) => void, reject });
        const question: Question = { id, name, value };
        if (child.connected) child.send(question);
        else reject(new Error(`${file} has ended.`));
      }),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Runs the functions that the parent process calls, and ends with it. */
export function answerParent(functions: Record<string, (value: never) => unknown>): void {
  process.on('message', async ({ id, name, value }: Question) => {
    const answer: Answer = { id };
    try {
      answer.value = await functions[name]?.(value as never);
    } catch (error) {
      answer.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    process.send?.(answer);
  });
  process.once('disconnect', () => process.exit(0));
}
