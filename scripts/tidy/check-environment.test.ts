import { expect, it } from 'vitest';
import { checkEnvironment } from './check-environment.ts';
import { parseSource } from './source-file.ts';

const count = (path: string, text: string): number => checkEnvironment([parseSource(path, text)]).length;

it.each([
  'const a = process.env.HOME;',
  "const a = process.env['HOME'];",
  'const a = globalThis.process?.env;',
  'const { env } = process;',
  "import { env } from 'node:process';",
])('refuses %s in a slice', (text) => {
  expect(count('server/src/messages/x.ts', text)).toBe(1);
});

it('lets the readers of settings, scripts and tests read it', () => {
  for (const path of [
    'server/src/config.ts',
    'scripts/x.ts',
    'server/test/harness/x.ts',
    'sdk/src/x.test.ts',
  ])
    expect(count(path, 'const a = process.env.HOME;')).toBe(0);
});

it('is not about other things called env', () => {
  expect(count('server/src/messages/x.ts', 'const a = ctx.env; const b = process.exitCode;')).toBe(0);
});
