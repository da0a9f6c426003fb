import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';

const serverFolder = fileURLToPath(new URL('../../../server/', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.postrider/', import.meta.url));

const unusedAfterMs = 3_600_000;

/**
 * Returns the path of a dump of a migrated embedded database. A dump takes seconds to make, so it is kept until a file of the database
 * folder, or this file, changes. `migrate` gets an empty data folder.
 */
export async function embeddedTemplate(migrate: (dataDir: string) => Promise<void>): Promise<string> {
  const file = join(cacheFolder, `embedded-${await hashSchema()}.tar`);
  if (existsSync(file)) return file;
  const folder = await mkdtemp(join(tmpdir(), 'postrider-embedded-'));
  try {
    await migrate(folder);
    const dump = await dumpOf(join(folder, 'database'));
    await mkdir(cacheFolder, { recursive: true });
    for await (const old of glob('embedded-*.tar', { cwd: cacheFolder }))
      if (await isUnused(join(cacheFolder, old))) await rm(join(cacheFolder, old), { force: true });
    // Another run may be writing the same file. With a rename, readers only see a complete one.
    await writeFile(`${file}.${process.pid}`, dump);
    await rename(`${file}.${process.pid}`, file);
    return file;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns whether a dump is unused. Another run may still copy from the template of an older schema. */
async function isUnused(file: string): Promise<boolean> {
  const made = await stat(file).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > unusedAfterMs;
}

/** Unpacks a dump as the database of a server that starts in `dataDir`. */
export async function unpackTemplate(file: string, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'database');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', file, '-C', folder]);
}

async function hashSchema(): Promise<string> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for await (const file of glob('src/**/{db/**/*,jobs/*,*.entity}.ts', { cwd: serverFolder }))
    files.push(file);
  for (const file of ['package.json', ...files.sort()])
    hash.update(file).update(await readFile(join(serverFolder, file)));
  for (const url of [import.meta.url, new URL('../../../pnpm-lock.yaml', import.meta.url)])
    hash.update(await readFile(new URL(url)));
  return hash.digest('hex').slice(0, 16);
}

async function dumpOf(dataDir: string): Promise<Buffer> {
  const db = await PGlite.create({ dataDir, extensions: { btree_gin } });
  try {
    // No test creates a database in it, and most of its files are only needed to create one.
    for (const name of ['template0', 'template1']) {
      await db.query(`alter database ${name} is_template false`);
      await db.query(`drop database ${name}`);
    }
    return Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer());
  } finally {
    await db.close();
  }
}
