import { readFileSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Takes the lock file `<name>.lock` of a folder and answers what gives it back. A lock whose process is gone, as after a
 * `kill -9`, is taken over.
 *
 * @throws Error that names the process that holds the lock.
 */
export const lockFolder = async (folder: string, name: string): Promise<() => Promise<void>> => {
  const path = join(folder, `${name}.lock`);
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(`${process.pid} ${startOf(process.pid)}\n`);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = (await readFile(path, 'utf8').catch(() => '')).trim();
    const [pid = '', start = ''] = holder.split(' ');
    if (holder !== '' && isAlive(Number(pid), start)) {
      throw new Error(
        `${folder} is in use by process ${pid}. Stop it first, or give this one another data folder.`,
      );
    }
    await rm(path, { force: true });
  }
  throw new Error(`${path} cannot be taken: something else keeps making it.`);
};

/** A process id is used again in time, so a lock also notes when its process started, where the system tells. */
const isAlive = (pid: number, start: string): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startOf(pid) === start;
};

const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may hold spaces; the 20th after it is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
};
