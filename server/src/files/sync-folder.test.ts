import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncFolder } from './disk-folders.ts';

describe('syncFolder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sync-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lets callers who come during a flush share the one after it, never the one that runs', async () => {
    const first = syncFolder(folder);
    const second = syncFolder(folder);
    const third = syncFolder(folder);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    await first;
    const fourth = syncFolder(folder);
    await Promise.all([second, fourth]);
    expect(syncFolder(folder)).not.toBe(second);
    await syncFolder(folder);
  });

  it('fails for a folder that is gone, for everyone who waits, and works once it is back', async () => {
    const gone = join(folder, 'gone');
    const waiting = [syncFolder(gone), syncFolder(gone), syncFolder(gone)];
    for (const result of await Promise.allSettled(waiting)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT' } });
    }
    await mkdir(gone);
    await expect(syncFolder(gone)).resolves.toBeUndefined();
  });
});
