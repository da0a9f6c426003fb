import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type DiskSpace, diskSpaceDefaults, watchDiskSpace } from './disk-space.ts';

const opened: DiskSpace[] = [];
const { lookMs } = diskSpaceDefaults;
afterEach(() => {
  for (const disk of opened.splice(0)) disk.close();
  diskSpaceDefaults.lookMs = lookMs;
});
const watch = async (...given: Parameters<typeof watchDiskSpace>) => {
  const disk = await watchDiskSpace(...given);
  opened.push(disk);
  return disk;
};
const folder = () => mkdtemp(join(tmpdir(), 'disk-space-'));

test('a disk with more than the reserve is not short, and one with less is', async () => {
  const folders = { files: await folder() };
  const { bavail, bsize } = await statfs(folders.files);
  const free = bavail * bsize;
  expect((await watch({ folders, reserveBytes: free / 2 })).isShort).toBe(false);
  expect((await watch({ folders, reserveBytes: free * 2 })).isShort).toBe(true);
  expect((await watch({ folders, reserveBytes: 0 })).isShort).toBe(false);
});

test('a folder that is not there yet is on the disk of the one above', async () => {
  const above = await folder();
  const disk = await watch({ folders: { files: join(above, 'not', 'yet') }, reserveBytes: null });
  const { bavail, bsize } = await statfs(above);
  expect(Math.abs((disk.freeBytes().get('files') ?? 0) - bavail * bsize)).toBeLessThan(2 ** 30);
});

test('without folders of this machine nothing is short and nothing is told', async () => {
  const disk = await watch({ folders: {}, reserveBytes: Number.MAX_SAFE_INTEGER });
  expect([disk.isShort, disk.freeBytes().size]).toEqual([false, 0]);
});

test('while a disk is short it is measured more often', async () => {
  diskSpaceDefaults.lookMs = 3_600_000;
  let looks = 0;
  const settings = { folders: { files: await folder() }, reserveBytes: Number.MAX_SAFE_INTEGER };
  const disk = await watch(settings, () => {
    looks += 1;
  });
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(disk.isShort).toBe(true);
});

test('it is looked again and again until it is closed', async () => {
  diskSpaceDefaults.lookMs = 5;
  let looks = 0;
  const disk = await watch({ folders: { files: await folder() }, reserveBytes: null }, () => {
    looks += 1;
  });
  await expect.poll(() => looks).toBeGreaterThan(2);
  disk.close();
  const until = looks + 1;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(looks).toBeLessThanOrEqual(until);
});
