import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

let parent: string;
let dataDir: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'postrider-folder-'));
  dataDir = join(parent, 'data');
});

afterEach(() => rm(parent, { recursive: true }));

const prepare = (folder = dataDir): string[] => {
  const notices: string[] = [];
  prepareDataFolder(folder, (notice) => notices.push(notice));
  return notices;
};

describe('a data folder', () => {
  test('is made where it is missing, for its owner only', async () => {
    expect(prepare(join(dataDir, 'deep'))).toEqual([]);
    for (const folder of [dataDir, join(dataDir, 'deep')])
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test('is kept to its owner with all that is in it, which is told once', async () => {
    const folders = [dataDir, join(dataDir, 'postgres'), join(dataDir, 'files')];
    for (const folder of folders) await mkdir(folder);
    const secret = join(dataDir, 'secret');
    await writeFile(secret, 'x');
    for (const path of [...folders, secret]) await chmod(path, path === secret ? 0o644 : 0o755);
    const notices = prepare();
    for (const path of [...folders, secret]) {
      expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0]);
      expect(notices.filter((notice) => notice.startsWith(`${path} could be read by others`))).toHaveLength(
        1,
      );
    }
    expect(prepare()).toEqual([]);
  });

  test('that cannot be one is told with the setting that names it', async () => {
    await writeFile(dataDir, '');
    expect(() => prepare()).toThrow(/POSTRIDER_DATA_DIR\) is a file or lies below one/);
    expect(() => prepare(join(dataDir, 'below'))).toThrow(/is a file or lies below one/);
    expect(() => prepare('/proc/postrider/data')).toThrow(
      /POSTRIDER_DATA_DIR\) cannot be made by this user.* Cause: ENOENT/,
    );
  });
});
