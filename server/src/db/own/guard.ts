import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Runner } from './find-binaries.ts';

/**
 * Waits for a line on descriptor 3 that names a signal for Postgres. If the process that started it ends in any way, also by `kill -9`, it
 * reads the end instead and stops Postgres in order.
 */
const script = `
"$@" 3<&- &
server=$!
{ read -r signal; kill -"\${signal:-INT}" $server; } <&3 &
reader=$!
wait $server
code=$?
kill $reader 2>/dev/null
exit $code
`;

/** A Postgres that does not outlive the process that started it. */
export interface Guarded {
  hasEnded(): boolean;
  /** Returns its messages until its own log began. */
  said(): string;
  /** Ends it: `INT` in order, `QUIT` at once. */
  stop(signal: 'INT' | 'QUIT'): Promise<void>;
}

/** Runs a command of Postgres under a guard. `logFile` receives its output before its own log begins. */
export function startGuarded(command: string[], logFile: string, { wrap, account }: Runner): Guarded {
  const log = openSync(logFile, 'w', 0o600);
  const child: ChildProcess = spawn('/bin/sh', ['-c', script, 'postgres', ...wrap(command)], {
    cwd: '/',
    stdio: ['ignore', log, log, 'pipe'],
    // Ctrl-C in a terminal reaches it through us, after all that still needs it has ended.
    detached: true,
    ...account,
  });
  closeSync(log);
  const orders = child.stdio[3] as Writable & { unref(): void };
  orders.on('error', () => {});
  child.unref();
  orders.unref();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    hasEnded,
    said: () => readFileSync(logFile, 'utf8'),
    stop: async (signal) => {
      if (hasEnded()) return;
      child.ref();
      const end = once(child, 'exit');
      orders.end(`${signal}\n`);
      await end;
    },
  };
}
