import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from './data-folder.ts';

const moduleFile = fileURLToPath(new URL('./data-folder.ts', import.meta.url));
let folder: string;
let children: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-lock-'));
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** A process that tries to take the lock and keeps it; gives what it says. */
const contend = async (): Promise<{ child: ChildProcess; said: string }> => {
  const script = `
    import { lockFolder } from ${JSON.stringify(moduleFile)};
    await lockFolder(${JSON.stringify(folder)}, 'database').then(() => console.log('mine'), (error) => console.log(error.message));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, said: said.trim() };
};

const crash = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const lockFile = () => join(folder, 'database.lock');

const renewedAgo = async (ageMs: number) => {
  const at = new Date(Date.now() - ageMs);
  await utimes(lockFile(), at, at);
};

describe('the lock of a folder', () => {
  test('refuses a second process and names the first', async () => {
    const first = await contend();
    const second = await contend();
    expect(first.said).toBe('mine');
    expect(second.said).toBe(
      `${folder} is in use by process ${first.child.pid}. Stop it first, or give this one another data folder by POSTRIDER_DATA_DIR.`,
    );
  });

  test('refuses a second time within one process, until it is given back', async () => {
    const release = await lockFolder(folder, 'database');
    await expect(lockFolder(folder, 'database')).rejects.toThrow(`in use by process ${process.pid}`);
    const other = await lockFolder(folder, 'other');
    await release();
    const releaseAgain = await lockFolder(folder, 'database');
    await releaseAgain();
    await other();
    expect(await readdir(folder)).toEqual([]);
  });

  test('can be read by its owner only', async () => {
    const release = await lockFolder(folder, 'database');
    expect((await stat(lockFile())).mode & 0o777).toBe(0o600);
    await release();
  });

  test('is taken over from a process that was killed', async () => {
    const { child } = await contend();
    await crash(child);
    expect(await readFile(lockFile(), 'utf8')).toMatch(new RegExp(`^${child.pid} `));
    const release = await lockFolder(folder, 'database');
    await release();
  });

  test('is taken over when another process has the number of the one that is gone', async () => {
    await writeFile(lockFile(), `${process.pid} 1\n`);
    const release = await lockFolder(folder, 'database');
    await release();
  });

  test.each(['', 'no number', '0x', '-1 5'])('is taken over when it holds %j', async (text) => {
    await writeFile(lockFile(), text);
    const release = await lockFolder(folder, 'database');
    await release();
  });

  test('of another container is held while it is renewed, whatever its process number is here', async () => {
    await writeFile(lockFile(), `${process.pid} 1 elsewhere\n`);
    const taken = expect(lockFolder(folder, 'database')).rejects.toThrow(
      `in use by process ${process.pid} of another container or machine. Stop it first`,
    );
    await renewedAgo(1_000);
    await taken;
    expect(await readFile(lockFile(), 'utf8')).toBe(`${process.pid} 1 elsewhere\n`);
  });

  test('of another container is taken over once nobody has renewed it for 20 s', async () => {
    await writeFile(lockFile(), '1 1 elsewhere\n');
    const before = performance.now();
    await renewedAgo(19_000);
    const release = await lockFolder(folder, 'database');
    expect(performance.now() - before).toBeGreaterThan(500);
    await release();
    await writeFile(lockFile(), '1 1 elsewhere\n');
    await renewedAgo(3_600_000);
    const releaseAgain = await lockFolder(folder, 'database');
    await releaseAgain();
  });

  test('of another container is free as soon as that gives it back', async () => {
    await writeFile(lockFile(), '1 1 elsewhere\n');
    const taken = lockFolder(folder, 'database');
    await rm(lockFile());
    const release = await taken;
    await release();
  });

  test('is renewed while it is held', async () => {
    const release = await lockFolder(folder, 'database');
    await renewedAgo(19_000);
    await expect.poll(async () => Date.now() - (await stat(lockFile())).mtimeMs).toBeLessThan(18_000);
    await release();
  });

  test('that was taken over is not given back by whoever had it before', async () => {
    const release = await lockFolder(folder, 'database');
    await writeFile(lockFile(), '999999999 5\n');
    await release();
    expect(await readFile(lockFile(), 'utf8')).toBe('999999999 5\n');
  });

  test('goes to exactly one of several that find it stale at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      await writeFile(lockFile(), '999999999 5\n');
      const contenders = await Promise.all(Array.from({ length: 5 }, contend));
      const winners = contenders.filter(({ said }) => said === 'mine');
      expect(winners).toHaveLength(1);
      // One that looked in between names another that had it for a moment.
      const pids = contenders.map(({ child }) => child.pid);
      for (const { said } of contenders)
        if (said !== 'mine')
          expect(pids.some((pid) => said.includes(`in use by process ${pid}.`))).toBe(true);
      for (const { child } of contenders) await crash(child);
    }
  });
});
