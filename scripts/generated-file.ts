import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

/** A file that a script makes. Its path is relative to the root of the repository. */
export interface GeneratedFile {
  path: string;
  text: string;
}

const root = resolve(import.meta.dirname, '..');

async function isFresh(file: GeneratedFile): Promise<boolean> {
  const current = await readFile(resolve(root, file.path), 'utf8').catch(() => null);
  return current === file.text;
}

/** Writes generated files. With `--check` it writes none, and sets the exit code 1 if a file differs from what it would write. */
export async function writeOrCheck(script: string, files: GeneratedFile[]): Promise<void> {
  const fresh = await Promise.all(files.map(isFresh));
  const stale = files.filter((_, index) => !fresh[index]);
  if (process.argv.includes('--check')) {
    for (const { path } of stale)
      console.error(`${path} is stale: run node scripts/${script}.ts and commit the result`);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  for (const { path, text } of stale) {
    const target = resolve(root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    console.log(`wrote ${relative(process.cwd(), target)}`);
  }
}
