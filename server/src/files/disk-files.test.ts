import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskFiles } from './disk-files.ts';
import { type Files, FilesFull } from './files.ts';

describe('createDiskFiles', () => {
  let root: string;
  let files: Files;

  beforeEach(async () => {
    root = join(await mkdtemp(join(tmpdir(), 'files-')), 'files');
    files = createDiskFiles(root);
  });
  afterEach(() => rm(join(root, '..'), { recursive: true }));

  const readMode = async (...path: string[]) => (await stat(join(root, ...path))).mode & 0o777;

  it('touches nothing before the first file, and lets only its owner read what it makes', async () => {
    await expect(stat(root)).rejects.toThrow('ENOENT');
    await files.put('wsp_1/inb_1/raw/one', Buffer.from('x'));
    for (const folder of [[], ['.incoming'], ['wsp_1'], ['wsp_1', 'inb_1', 'raw']]) {
      expect(await readMode(...folder)).toBe(0o700);
    }
    expect(await readMode('wsp_1', 'inb_1', 'raw', 'one')).toBe(0o600);
  });

  it('keeps files that are named by typed ids in one folder for each nine hours', async () => {
    await files.put('wsp_1/inb_1/raw/msg_01jd3v8yq5fzgbkq6n2x7w4cde', Buffer.from('x'));
    await files.put('wsp_1/inb_1/raw/msg_01jd3zzzq5fzgbkq6n2x7w4cde', Buffer.from('x'));
    await files.put('wsp_1/inb_1/raw/msg_01jd4v8yq5fzgbkq6n2x7w4cde.gz', Buffer.from('x'));
    expect((await readdir(join(root, 'wsp_1/inb_1/raw'))).sort()).toEqual(['~01jd3', '~01jd4']);
    expect(await readdir(join(root, 'wsp_1/inb_1/raw/~01jd3'))).toHaveLength(2);
  });

  it('leaves no temporary file behind, whatever happens', async () => {
    await files.put('a/whole', Buffer.from('x'));
    await expect(files.put('a/large', Buffer.alloc(2), { bytesMax: 1 })).rejects.toThrow();
    const source = new PassThrough();
    const failed = expect(files.put('a/failed', source)).rejects.toThrow('gone');
    source.write('x');
    source.destroy(new Error('gone'));
    await failed;
    await writeFile(join(root, 'plain'), 'a file where a folder should be');
    await expect(files.put('plain/below', Buffer.from('x'))).rejects.toThrow('ENOTDIR');
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
    expect(await readdir(join(root, 'a'))).toEqual(['whole']);
  });

  it('removes what an interrupted put left behind, but not what is being written', async () => {
    await files.check();
    const [old, fresh] = [join(root, '.incoming', 'old'), join(root, '.incoming', 'fresh')];
    await writeFile(old, 'x');
    await writeFile(fresh, 'x');
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    await utimes(old, twoHoursAgo, twoHoursAgo);
    await files.check();
    expect(await readdir(join(root, '.incoming'))).toEqual(['fresh']);
  });

  it.each(['ENOSPC', 'EDQUOT'])('tells %s apart from other failures', async (code) => {
    const source = new PassThrough();
    const stored = expect(files.put('a/b', source)).rejects.toThrow(FilesFull);
    source.destroy(Object.assign(new Error('no room'), { code }));
    await stored;
  });

  it('says when it does not work', async () => {
    await writeFile(root, 'a file where the folder should be');
    await expect(files.check()).rejects.toThrow();
  });

  it('makes its folders again when they were taken away', async () => {
    await files.put('a/one', Buffer.from('x'));
    await rm(root, { recursive: true });
    await files.put('a/two', Buffer.from('x'));
    expect(await files.read('a/one')).toBeNull();
    expect(String(await files.read('a/two'))).toBe('x');
  });

  it('deletes thousands of files below a prefix', async () => {
    for (const folder of ['wsp_1/inb_1/raw/~01jd3', 'wsp_1/inb_1/att']) {
      await mkdir(join(root, folder), { recursive: true });
      const names = Array.from({ length: 1_500 }, (_, index) => join(root, folder, `file-${index}`));
      await Promise.all(names.map((name) => writeFile(name, '')));
    }
    const left: number[] = [];
    const count = async () => {
      const entries = await readdir(join(root, 'wsp_1'), { recursive: true, withFileTypes: true });
      left.push(entries.filter((entry) => entry.isFile()).length);
    };
    await files.deletePrefix('wsp_1/inb_1', count);
    expect(await readdir(join(root, 'wsp_1'))).toEqual([]);
    const steps = left.map((files, index) => files - (left[index + 1] ?? 0));
    expect(left[0]).toBe(3_000);
    expect(Math.max(...steps)).toBeLessThan(1_500);
  });

  it('stops deleting when it is told to', async () => {
    await mkdir(join(root, 'a'), { recursive: true });
    const names = Array.from({ length: 1_500 }, (_, index) => join(root, 'a', `file-${index}`));
    await Promise.all(names.map((name) => writeFile(name, '')));
    let batches = 0;
    const stop = async () => {
      if (++batches === 2) throw new Error('stopped');
    };
    await expect(files.deletePrefix('a', stop)).rejects.toThrow('stopped');
    expect((await readdir(join(root, 'a'))).length).toBeGreaterThanOrEqual(500);
  });

  it('stores and deletes below one prefix at the same time without breaking either', async () => {
    const put = (index: number) => files.put(`wsp_1/inb_1/raw/${index}`, Buffer.from(String(index)));
    for (let round = 0; round < 100; round += 1) {
      await Promise.all([files.deletePrefix('wsp_1/inb_1'), ...[0, 1, 2, 3, 4, 5].map(put)]);
    }
    await files.deletePrefix('wsp_1/inb_1');
    await files.put('wsp_1/inb_1/raw/last', Buffer.from('last'));
    expect(String(await files.read('wsp_1/inb_1/raw/last'))).toBe('last');
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
  });
});
