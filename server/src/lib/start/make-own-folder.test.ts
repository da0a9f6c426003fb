import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeOwnFolder } from './make-own-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'postrider-folder-'));
});
afterEach(() => rmSync(base, { recursive: true }));

test('folders are made for their owner only, and one that is there stays as it is', () => {
  const folder = join(base, 'a', 'b');
  makeOwnFolder(folder);
  makeOwnFolder(folder);
  expect([folder, join(base, 'a')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});

test('a file in the way is named, and a folder below /proc fails at once', () => {
  writeFileSync(join(base, 'file'), '');
  expect(() => makeOwnFolder(join(base, 'file'))).toThrow(`ENOTDIR: ${join(base, 'file')} is not a folder`);
  expect(() => makeOwnFolder(join(base, 'file', 'below'))).toThrow(/ENOTDIR/);
  expect(() => makeOwnFolder('/proc/postrider/data')).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});
