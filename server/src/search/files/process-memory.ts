import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const residentPattern = /^VmRSS:\s+(\d+) kB/m;
const psTimeoutMs = 2_000;

/** Returns the resident memory of a process in MB; null where the system does not say. */
export async function residentMb(pid: number): Promise<number | null> {
  // Not `statm`, which counts in pages of the machine.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const kb = status === null ? await askPs(pid) : residentPattern.exec(status)?.[1];
  return kb ? Number(kb) / 1_024 : null;
}

async function askPs(pid: number): Promise<string | null> {
  if (process.platform === 'linux' || process.platform === 'win32') return null;
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: psTimeoutMs }).catch(
    () => ({
      stdout: '',
    }),
  );
  return stdout.trim() || null;
}
