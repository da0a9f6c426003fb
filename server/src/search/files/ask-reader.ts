import { type ChildProcess, execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Overdue, watchProcessor } from '../../lib/concurrency/work-thread.ts';
import { type FramedFile, frameHeader } from './file-kind.ts';
import { type FileText, fileLimits, readStatuses, withoutText } from './file-text.ts';

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
  const usage = () => readUsage(child.pid ?? 0);
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
    child.stdin?.write(frameHeader(file));
    child.stdin?.write(file.bytes);
  });
}

/** Returns the answer of a process that has read a hostile file, if it has the form of one. */
function checkAnswer(answer: unknown): FileText {
  const { status, text } = (answer ?? {}) as Partial<Record<keyof FileText, unknown>>;
  const knownStatus = readStatuses.find((name) => name === status);
  if (!knownStatus || typeof text !== 'string') return withoutText('failed');
  return knownStatus === 'done'
    ? { status: knownStatus, text: text.slice(0, fileLimits.textLengthMax) }
    : withoutText(knownStatus);
}

/** The use of a process: its resident memory in MB, and the processor time that it has used so far, in ms. */
interface ProcessUsage {
  memoryMb: number;
  processorMs: number;
}

const run = promisify(execFile);
const residentPattern = /^VmRSS:\s+(\d+) kB/m;
/** The unit of times in `/proc`, which is the same on all machines. */
const tickMs = 10;
const psTimeoutMs = 10_000;

/** Returns the memory use of a process; null if the system does not say. */
export async function readUsage(pid: number): Promise<ProcessUsage | null> {
  if (process.platform === 'win32') return null;
  return process.platform === 'linux' ? readProc(pid) : askPs(pid);
}

async function readProc(pid: number): Promise<ProcessUsage | null> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The name of the program, in parentheses, may have blanks. The 12th and 13th field after it are the times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    // Not `statm`, which counts in pages of the machine.
    return { memoryMb: Number(residentPattern.exec(status)?.[1] ?? 0) / 1_024, processorMs: ticks * tickMs };
  } catch {
    return null;
  }
}

async function askPs(pid: number): Promise<ProcessUsage | null> {
  try {
    const { stdout } = await run('ps', ['-o', 'rss=,time=', '-p', String(pid)], { timeout: psTimeoutMs });
    const [kb = '', time = ''] = stdout.trim().split(/\s+/);
    // Such as `0:01.50`. A process that has run for a day has long been ended.
    const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return { memoryMb: Number(kb) / 1_024, processorMs: seconds * 1_000 };
  } catch {
    return null;
  }
}
