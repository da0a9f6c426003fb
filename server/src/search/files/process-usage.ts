import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What a process uses: its resident memory in MB, and the processor time that it has used so far, in ms. */
export interface ProcessUsage {
  memoryMb: number;
  processorMs: number;
}

const run = promisify(execFile);
const residentPattern = /^VmRSS:\s+(\d+) kB/m;
/** The unit of times in `/proc`, which is the same on all machines. */
const tickMs = 10;
const psTimeoutMs = 10_000;

/** Returns what a process uses; null where the system does not say. */
export async function usageOf(pid: number): Promise<ProcessUsage | null> {
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
