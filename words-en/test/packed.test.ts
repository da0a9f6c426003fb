import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));

test('the packed table is loaded by its name, without a build of its user', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packed-words-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tarball = join(folder, 'words.tgz');
  execFileSync('pnpm', ['pack', '--out', tarball], { cwd: packageFolder, stdio: 'pipe' });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: folder,
    stdio: 'pipe',
  });
  const installed = join(folder, 'node_modules', '@postrider', 'words-en');
  expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toContain(
    'Public Domain Dedication and License',
  );
  expect(await readFile(join(installed, 'dist', 'index.d.ts'), 'utf8')).toContain('loadWordTable');
  await writeFile(
    join(folder, 'use.js'),
    `import { loadWordTable } from '@postrider/words-en';
     const { name, words } = await loadWordTable();
     console.log(name, words.get('invoice') > 0);`,
  );
  expect(execFileSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8' })).toBe(
    'words-en-1 true\n',
  );
});
