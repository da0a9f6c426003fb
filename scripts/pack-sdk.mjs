// Packs the SDK as it is published into a tarball, on Node 20 with nothing but npm. It builds a copy with the few packages that
// the build needs, in the versions of the lockfile, so that it neither needs an install of the clone nor changes one that a
// running server uses.
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { rootFolder } from './bootstrap/folders.mjs';
import { showProgress } from './bootstrap/progress.mjs';
import { runCommand } from './bootstrap/run-command.mjs';
import { environmentOf, findRuntime } from './bootstrap/runtime.mjs';

const copied = [
  'LICENSE',
  '.pnpmfile.mjs',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
  'scripts/require-pnpm.mjs',
  'sdk',
];
const buildPackages = ['tsup', 'typescript', '@types/node'];

/**
 * Copies what the build needs into a workspace of its own.
 * @param {string} folder
 */
function copyWorkspace(folder) {
  for (const name of copied) {
    const skipped = (/** @type {string} */ path) => ['node_modules', 'dist'].includes(basename(path));
    cpSync(join(rootFolder, name), join(folder, name), { recursive: true, filter: (path) => !skipped(path) });
  }
  const settings = readFileSync(join(rootFolder, 'pnpm-workspace.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'pnpm-workspace.yaml'),
    settings.replace(/^packages:\n(?: +- .*\n)+/m, 'packages:\n  - sdk\n'),
  );
  writeFileSync(join(folder, 'package.json'), '{ "name": "pack-sdk", "private": true }\n');
  const manifestFile = join(folder, 'sdk', 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  manifest.devDependencies = Object.fromEntries(buildPackages.map((name) => [name, 'catalog:']));
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
}

/**
 * @param {string} tarball
 * @returns {Promise<void>}
 */
async function pack(tarball) {
  const runtime = await findRuntime();
  const folder = mkdtempSync(join(tmpdir(), 'postrider-pack-'));
  const run = async (/** @type {string} */ cwd, /** @type {string[]} */ ...args) => {
    const env = { ...environmentOf(runtime), CI: 'true', NODE_ENV: undefined };
    const { code, output } = await runCommand(runtime.pnpm, args, { cwd, env });
    if (code !== 0) throw new Error(`${output}\npnpm ${args[0]} ended with code ${code}.`);
  };
  try {
    copyWorkspace(folder);
    await showProgress('Packing the SDK', async (report) => {
      report('getting what the build needs');
      // The versions are those of the lockfile, of which the copy needs a part.
      await run(
        folder,
        'install',
        '--no-frozen-lockfile',
        '--prefer-offline',
        '--config.minimumReleaseAge=0',
      );
      report('building');
      await run(join(folder, 'sdk'), 'pack', '--pack-destination', folder);
    });
    const { name, version } = JSON.parse(readFileSync(join(folder, 'sdk', 'package.json'), 'utf8'));
    copyFileSync(join(folder, `${name}-${version}.tgz`), tarball);
    console.log(`Packed ${name} ${version}. In the folder of your program:\n\n  npm install ${tarball}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

pack(resolve(process.argv[2] ?? join(rootFolder, 'postrider.tgz'))).catch((/** @type {unknown} */ error) => {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
