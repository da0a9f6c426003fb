/*
 * Continues the tests of server/test/spec/fuzz for a given time, with other seeds than the test suite: `pnpm fuzz [target] --minutes N
 * --seed S`.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const rootFolder = fileURLToPath(new URL('../', import.meta.url));
const folder = 'server/test/spec/fuzz';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
  },
});
function fuzzName(file: string) {
  return basename(file).split('.')[0] ?? '';
}
const files = globSync(`${folder}/*.spec.ts`, { cwd: rootFolder });
const known = files.map(fuzzName);
const unknown = positionals.filter((target) => !known.includes(target));
if (unknown.length > 0) throw new Error(`No target ${unknown.join(', ')}: there are ${known.join(', ')}.`);

const targets = positionals.length > 0 ? positionals : known;
const { minutes, seed } = values;
console.log(`Fuzzing ${targets.join(', ')} for ${minutes} minutes each, from seed ${seed} on.`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=database',
    ...files.filter((file) => targets.includes(fuzzName(file))),
  ],
  {
    cwd: rootFolder,
    stdio: 'inherit',
    env: { ...process.env, POSTRIDER_FUZZ_MINUTES: minutes, POSTRIDER_FUZZ_SEED: seed },
  },
);
process.exitCode = status ?? 1;
