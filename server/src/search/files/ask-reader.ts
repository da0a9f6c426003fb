import type { ChildProcess } from 'node:child_process';
import { type Overdue, watchProcessor } from '../../lib/concurrency/processor-watch.ts';
import { type FileText, fileLimits, readStatuses, withoutText } from './file-text.ts';
import { type FramedFile, frameOf } from './framed-files.ts';
import { usageOf } from './process-usage.ts';

/** The pause between two looks at the memory. Where each look starts a program, it is longer. */
const lookEveryMs = process.platform === 'linux' ? 50 : 250;
/** Node ends with this code, or by the signal SIGABRT, if its heap is full. */
const heapFullCode = 134;

/** Thrown if files cannot be read for now. */
export class ReaderUnavailable extends Error {
  override name = 'ReaderUnavailable' as const;
}

/** Returns whether a process has ended or is about to. */
export function hasEnded(child: ChildProcess): boolean {
  return child.killed || child.exitCode !== null || child.signalCode !== null;
}

/**
 * Sends a file to a process and returns its text. Ends the process if the file takes more processor time or memory than it may.
 *
 * @throws ReaderUnavailable if the process hangs, which may be due to the machine.
 */
export async function askReader(
  child: ChildProcess,
  file: FramedFile,
  { processorMs, memoryMb }: { processorMs: number; memoryMb: number },
): Promise<FileText> {
  const usage = () => usageOf(child.pid ?? 0);
  const fromMs = (await usage())?.processorMs ?? 0;
  return new Promise((resolve, reject) => {
    let reason: 'memory' | Overdue | null = null;
    let isSettled = false;
    const stop = (why: 'memory' | Overdue) => {
      reason ??= why;
      child.kill('SIGKILL');
    };
    const end = () => {
      isSettled = true;
      endWatch();
      clearInterval(looking);
      child.off('message', receive);
      child.off('exit', ended);
    };
    const receive = (answer: unknown) => {
      end();
      resolve(checkAnswer(answer));
    };
    const ended = (code: number | null, signal: string | null) => {
      end();
      const isHeapFull = signal === 'SIGABRT' || code === heapFullCode;
      if (reason === 'hung') reject(new ReaderUnavailable('The process that reads files hangs.'));
      else if (reason === 'processor_time') resolve(withoutText('timeout'));
      else resolve(withoutText(reason === 'memory' || isHeapFull ? 'memory' : 'failed'));
    };
    const read = async () => (await usage())?.processorMs ?? null;
    const endWatch = watchProcessor(read, { fromMs, limitMs: processorMs }, stop);
    const look = async () => {
      const { memoryMb: usedMb = 0 } = (await usage()) ?? {};
      // The process may have begun with the next file meanwhile.
      if (!isSettled && usedMb > memoryMb) stop('memory');
    };
    const looking = setInterval(look, lookEveryMs);
    child.on('message', receive);
    child.on('exit', ended);
    if (child.exitCode !== null || child.signalCode !== null) {
      ended(child.exitCode, child.signalCode);
      return;
    }
    child.stdin?.write(frameOf(file));
    child.stdin?.write(file.bytes);
  });
}

/** Returns the answer of a process that has read a hostile file, if it has the form of one. */
function checkAnswer(answer: unknown): FileText {
  const { status, text } = (answer ?? {}) as Partial<Record<keyof FileText, unknown>>;
  const known = readStatuses.find((name) => name === status);
  if (!known || typeof text !== 'string') return withoutText('failed');
  return known === 'done'
    ? { status: known, text: text.slice(0, fileLimits.textLengthMax) }
    : withoutText(known);
}
