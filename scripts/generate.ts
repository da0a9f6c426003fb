import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { generators } from './generators.ts';

const cwd = fileURLToPath(new URL('../', import.meta.url));

for (const { script, makes } of generators) {
  console.log(`${makes}  (${script})`);
  const { status } = spawnSync(process.execPath, [script], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
