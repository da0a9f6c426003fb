/*
 * Runs in a process of its own, which reads one file after another from its standard input and sends back the text of each as a message. It
 * ends with its input.
 *
 * A thread of this process ends it if a file takes several times as long as it may. That is the task of the server, but the server may have
 * been killed meanwhile, and a reader in an endless loop would remain.
 */
import { setPriority } from 'node:os';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { framedFiles } from './framed-files.ts';
import { readFile } from './read-file.ts';

const niceness = 5;
const watchEveryMs = 1_000;

if (isMainThread) await serve(Number(process.argv[2]));
else watch(workerData as BigInt64Array);

async function serve(endAfterMs: number): Promise<void> {
  const endAt = new BigInt64Array(new SharedArrayBuffer(8));
  new Worker(new URL(import.meta.url), { workerData: endAt }).unref();
  try {
    setPriority(niceness);
  } catch {
    // Without the permission, reading has the priority of the server.
  }
  process.stdin.once('end', () => process.exit());
  // A part of a file may fail that nobody waits for any more. That must not cost the next file its text.
  process.on('uncaughtException', () => {});
  process.send?.({ ready: true });
  for await (const { kind, bytes } of framedFiles(process.stdin)) {
    Atomics.store(endAt, 0, process.hrtime.bigint() + BigInt(endAfterMs) * 1_000_000n);
    const read = await readFile(bytes, kind);
    Atomics.store(endAt, 0, 0n);
    process.send?.(read);
  }
}

/** Ends the process once the time is over that a file may take; there is none while no file is read. */
function watch(endAt: BigInt64Array): void {
  setInterval(() => {
    const end = Atomics.load(endAt, 0);
    if (end !== 0n && process.hrtime.bigint() > end) process.kill(process.pid, 'SIGKILL');
  }, watchEveryMs);
}
