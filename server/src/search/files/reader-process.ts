/*
 * Runs in a separate process, which reads one file after another from its standard input and sends back the text of each as a message. It
 * ends with its input.
 *
 * A thread of this process ends it if a file takes twice its limit of processor time. That is normally the server's task, but the server
 * may have been killed meanwhile, and a reader in an endless loop would remain.
 */
import { setPriority } from 'node:os';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { closeNetwork } from './close-network.ts';
import { framedFiles } from './file-kind.ts';
import { readFile } from './read-file.ts';

const niceness = 5;
const watchEveryMs = 1_000;

closeNetwork();
if (isMainThread) await serve(Number(process.argv[2]));
else watch(workerData as Float64Array);

async function serve(processorMs: number): Promise<void> {
  const endAt = new Float64Array(new SharedArrayBuffer(8)).fill(Number.POSITIVE_INFINITY);
  new Worker(new URL(import.meta.url), { workerData: endAt }).unref();
  try {
    setPriority(niceness);
  } catch {
    // Without the permission, reading has the priority of the server.
  }
  process.stdin.once('end', () => process.exit());
  // A part of a file may fail when nobody waits for it any more. That must not cost the next file its text.
  process.on('uncaughtException', () => {});
  process.send?.({ ready: true });
  for await (const { kind, bytes } of framedFiles(process.stdin)) {
    endAt[0] = usedMs() + processorMs;
    const read = await readFile(bytes, kind);
    endAt[0] = Number.POSITIVE_INFINITY;
    process.send?.(read);
  }
}

/** Ends the process once it has used the processor time that a file can take. The limit does not apply while no file is read. */
function watch(endAt: Float64Array): void {
  setInterval(() => {
    if (usedMs() > (endAt[0] ?? 0)) process.kill(process.pid, 'SIGKILL');
  }, watchEveryMs);
}

/** Returns the processor time of this process, with all its threads. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
