import type { ChildProcess } from 'node:child_process';
import { type FileText, fileLimits, type ReadStatus, readStatuses, withoutText } from './file-text.ts';
import { type FramedFile, frameOf } from './framed-files.ts';
import { residentMb } from './process-memory.ts';

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

/** Sends a file to a process and returns its text. Ends the process if it takes more time or memory than it may. */
export function askReader(
  child: ChildProcess,
  file: FramedFile,
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<FileText> {
  return new Promise((resolve) => {
    let reason: (ReadStatus & ('timeout' | 'memory')) | null = null;
    let isSettled = false;
    const stop = (why: 'timeout' | 'memory') => {
      reason ??= why;
      child.kill('SIGKILL');
    };
    const settle = (result: FileText) => {
      clearTimeout(timer);
      clearTimeout(looking);
      isSettled = true;
      child.off('message', receive);
      child.off('exit', ended);
      resolve(result);
    };
    const receive = (answer: unknown) => settle(checkAnswer(answer));
    const ended = (code: number | null, signal: string | null) => {
      const isHeapFull = signal === 'SIGABRT' || code === heapFullCode;
      settle(withoutText(reason ?? (isHeapFull ? 'memory' : 'failed')));
    };
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    const look = async () => {
      const mb = (await residentMb(child.pid ?? 0)) ?? 0;
      // The process may have begun with the next file meanwhile.
      if (isSettled) return;
      if (mb > memoryMb) stop('memory');
      else looking = setTimeout(look, lookEveryMs);
    };
    let looking = setTimeout(look, lookEveryMs);
    child.on('message', receive);
    child.on('exit', ended);
    if (child.exitCode !== null || child.signalCode !== null) return ended(child.exitCode, child.signalCode);
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
