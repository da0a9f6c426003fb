import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the packages that are published, dependencies first. */
const published = ['sdk', 'words-en', 'embeddings', 'mcp', 'server'];

/** A package as it is published. */
export interface Tarball {
  name: string;
  version: string;
  path: string;
}

/** Builds and packs all packages that are published, into a folder. */
export async function packAll(folder: string): Promise<Tarball[]> {
  const tarballs: Tarball[] = [];
  for (const name of published) {
    const manifest = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
    const path = join(folder, `${name}.tgz`);
    await run(['pnpm', 'pack', '--out', path], { cwd: join(root, name) });
    tarballs.push({ name: manifest.name, version: manifest.version, path });
  }
  return tarballs;
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? 'packed');
  mkdirSync(folder, { recursive: true });
  for (const { name, version, path } of await packAll(folder)) console.log(`${name} ${version}  ${path}`);
}
