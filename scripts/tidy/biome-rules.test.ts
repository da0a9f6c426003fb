import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const configuration = fileURLToPath(new URL('../../biome.jsonc', import.meta.url));
const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'biome-'));
copyFileSync(configuration, join(folder, 'biome.jsonc'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the rules of biome.jsonc that these files break. */
const brokenBy = (files: Record<string, string>): string[] => {
  const paths = Object.keys(files);
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), files[path] ?? '');
  }
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', ...paths], options);
  return [...new Set(`${stdout}${stderr}`.match(/lint\/\w+\/\w+/g) ?? [])];
};
const lines = (count: number) => 'f();\n'.repeat(count);

it.each([
  ['server/src/a.ts', 'export default 1;', 'style/noDefaultExport'],
  ['server/src/b.ts', 'export const a: any = 1;', 'suspicious/noExplicitAny'],
  ['server/src/c.ts', '// @ts-ignore\nexport const a = f();', 'suspicious/noTsIgnore'],
  ['server/src/d.ts', 'export const a = process.env.A;', 'style/noProcessEnv'],
  ['server/src/e.ts', `export const a = () => {\n${lines(61)}};`, 'complexity/noExcessiveLinesPerFunction'],
  ['server/src/f.ts', lines(401), 'style/noExcessiveLinesPerFile'],
  ['server/src/sendMessage.ts', 'export const a = 1;', 'style/useFilenamingConvention'],
  ['server/src/a.test.ts', "test.only('a', () => {});", 'suspicious/noFocusedTests'],
  ['server/src/b.test.ts', "test.skip('a', () => {});", 'suspicious/noSkippedTests'],
])('%s is refused for what it has in it: %s', (path, text, rule) => {
  expect(brokenBy({ [path]: text })).toContain(`lint/${rule}`);
});

it('a circle of imports is refused, also one of types', () => {
  const types = "import type { B } from './h.ts';\nexport type A = B | 1;";
  const back = "import type { A } from './g.ts';\nexport type B = A | 2;";
  expect(brokenBy({ 'server/src/g.ts': types, 'server/src/h.ts': back })).toContain(
    'lint/suspicious/noImportCycles',
  );
});

it.each([
  ['vitest.config.ts', 'export default { a: process.env.A };'],
  ['server/src/config/config.ts', 'export const a = process.env.A;'],
  ['server/src/c.test.ts', `describe('a', () => {\n${lines(61)}});`],
  ['server/src/d.test.ts', "test.skipIf(isWindows)('a', () => {});"],
])('%s is fine with what it has in it: %s', (path, text) => {
  expect(brokenBy({ [path]: text })).toEqual([]);
});
