import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readInstanceSecret } from './open-secret.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-secret-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('the root of all keys', () => {
  test('is the configured one, which is written nowhere', async () => {
    expect(await readInstanceSecret({ secret: 'configured', dataDir: folder }, true)).toBe('configured');
    expect(await readdir(folder)).toEqual([]);
  });

  test('is made at the first start, kept, and readable by its owner only', async () => {
    const dataDir = join(folder, 'data');
    const secret = await readInstanceSecret({ secret: null, dataDir }, true);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await readInstanceSecret({ secret: null, dataDir }, true)).toBe(secret);
    expect(await readdir(dataDir)).toEqual(['secret']);
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  test('is one, however many start at once', async () => {
    const starts = Array.from({ length: 10 }, () =>
      readInstanceSecret({ secret: null, dataDir: folder }, true),
    );
    const secrets = new Set(await Promise.all(starts));
    expect(secrets.size).toBe(1);
    expect([...secrets][0]).toBe((await readFile(join(folder, 'secret'), 'utf8')).trim());
    expect(await readdir(folder)).toEqual(['secret']);
  });

  test('is not made anew where one must be, and the error says how to go on', async () => {
    for (const content of [null, '\n']) {
      if (content) await writeFile(join(folder, 'secret'), content);
      await expect(readInstanceSecret({ secret: null, dataDir: folder }, false)).rejects.toThrow(
        new RegExp(`^${join(folder, 'secret')} is missing or empty.*POSTRIDER_SECRET.*--new-secret`),
      );
    }
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('\n');
    expect(await readInstanceSecret({ secret: null, dataDir: folder }, true)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is never half of one that a crash left behind', async () => {
    await writeFile(join(folder, 'secret.12345'), 'abc');
    expect(await readInstanceSecret({ secret: null, dataDir: folder }, true)).toMatch(/^[0-9a-f]{64}$/);
  });
});
