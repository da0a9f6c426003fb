import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Runner } from '../../../server/src/db/own/find-binaries.ts';

/** How to stop a server: `fast` is orderly, `immediate` needs recovery at the next start, and `kill` is a crash. */
export type StopMode = 'fast' | 'immediate' | 'kill';

const signals: Record<StopMode, string> = { fast: 'INT', immediate: 'QUIT', kill: 'KILL' };
const logCharsMax = 20_000;

// The shell waits for a line on descriptor 3, with the signal to send and whether to keep the data. If the process that started it ends in
// any way, even by `kill -9`, the shell reads the end of the file instead, stops Postgres and removes the folder. No process reads its
// messages then, and writing one would end it.
const guardScript = `
"$@" 3<&- &
server=$!
{ read -r signal keep; echo "$keep" > "$0/keep"; kill -"\${signal:-INT}" $server; } <&3 &
reader=$!
wait $server
exec 2>/dev/null
kill $reader
[ "$(cat "$0/keep")" = keep ] || rm -rf "$(readlink -f "$0/data")" "$0"
`;

/** A running Postgres that cannot outlive the process that started it. */
export interface PostgresProcess {
  /** Returns the end of its log. */
  log(): string;
  ended(): boolean;
  stop(mode: StopMode, keepData: boolean): Promise<void>;
}

/** Runs `command` under a guard that owns `folder`. */
export function guardProcess(folder: string, command: string[], { wrap, account }: Runner): PostgresProcess {
  const child: ChildProcess = spawn('/bin/sh', ['-c', guardScript, folder, ...wrap(command)], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // It has its own process group, so that Ctrl-C in a terminal reaches it in order, through us.
    detached: true,
    ...account,
  });
  const orders = child.stdio[3] as Writable;
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-logCharsMax);
  });
  orders.on('error', () => {});
  for (const handle of [child, child.stderr, orders] as unknown as { unref?(): void }[]) handle.unref?.();
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  return {
    log: () => text,
    ended,
    stop: async (mode, keepData) => {
      if (ended()) return;
      child.ref();
      const end = once(child, 'exit');
      orders.end(`${signals[mode]}${keepData ? ' keep' : ''}\n`);
      await end;
    },
  };
}
