import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
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

let packed: Promise<Tarball[]> | null = null;

/** Puts all packages that are published into a folder. They are built and packed once in a run, for all checks. */
export async function packAll(folder: string): Promise<Tarball[]> {
  packed ??= packOnce();
  return (await packed).map((tarball) => {
    const path = join(folder, basename(tarball.path));
    copyFileSync(tarball.path, path);
    return { ...tarball, path };
  });
}

async function packOnce(): Promise<Tarball[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const tarballs: Tarball[] = [];
  for (const name of published) {
    const manifest = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
    const path = join(folder, `${name}.tgz`);
    await run(['pnpm', 'pack', '--out', path], { cwd: join(root, name) });
    tarballs.push({ name: manifest.name, version: manifest.version, path });
  }
  return tarballs;
}

/** The migration that only the next version has. */
export const nextMigration = '9999-of-the-next-version';

/**
 * Turns a packed server into one of the next version with one more migration, in place: what is packed is changed as a release would change
 * it. Returns it.
 */
export async function makeNext(tarball: Tarball): Promise<Tarball> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-next-'));
  try {
    await run(['tar', 'xzf', tarball.path, '-C', folder]);
    const manifestPath = join(folder, 'package/package.json');
    const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
    const version = manifest.version.replace(/\d+$/, (patch: string) => String(Number(patch) + 1));
    await writeFile(manifestPath, JSON.stringify({ ...manifest, version }, null, 2));
    await addMigration(join(folder, 'package/dist'));
    await run(['tar', 'czf', tarball.path, '-C', folder, 'package']);
    return { ...tarball, version };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The last entry of the list of migrations, with the name of its class. */
const lastEntry = /(\{ name: "\d{4}-[\w-]+", class: (\w+) \})(\s*\n?\s*\];)/;

async function addMigration(dist: string): Promise<void> {
  for (const name of globSync('*.js', { cwd: dist })) {
    const path = join(dist, name);
    const text = await readFile(path, 'utf8');
    if (!lastEntry.test(text)) continue;
    const added = text.replace(lastEntry, (_, entry: string, of: string, end: string) => {
      const body = `up() { this.addSql("create table of_the_next_version (one boolean primary key)"); }`;
      const next = `class extends Object.getPrototypeOf(${of}) { ${body} }`;
      return `${entry},\n  { name: "${nextMigration}", class: ${next} }${end}`;
    });
    return writeFile(path, added);
  }
  throw new Error(`No file of ${dist} has the list of migrations.`);
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? 'packed');
  mkdirSync(folder, { recursive: true });
  for (const { name, version, path } of await packAll(folder)) console.log(`${name} ${version}  ${path}`);
}
