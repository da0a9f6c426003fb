import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** An entry of Vite's manifest. */
interface Chunk {
  file: string;
  imports?: string[];
  isDynamicEntry?: boolean;
}

/** How much JavaScript a page needs before it is shown, when it is the first one that somebody opens. */
export interface RouteSize {
  /** The source file of the page. */
  page: string;
  /** Bytes after gzip. */
  bytes: number;
  /** The number of files. */
  files: number;
}

const entry = 'index.html';
const shell = 'src/app/shell.tsx';

/** Returns the sizes of all pages of a build, the largest first. What a page loads later does not count. */
export function measureRoutes(dist: string): RouteSize[] {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'),
  );
  const sizes = new Map<string, number>();
  const sizeOf = (file: string) => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
    sizes.set(file, known);
    return known;
  };
  return Object.keys(manifest)
    .filter((name) => name.endsWith('-page.tsx') && manifest[name]?.isDynamicEntry)
    .map((page) => {
      const files = filesOf(manifest, isPublic(page) ? [entry, page] : [entry, shell, page]);
      return { page, bytes: files.map(sizeOf).reduce((sum, bytes) => sum + bytes, 0), files: files.length };
    })
    .toSorted((a, b) => b.bytes - a.bytes);
}

/** The sign-in has no shell. Other pages without one are counted with it, which makes no difference for a limit. */
function isPublic(page: string): boolean {
  return page === 'src/people/sign-in-page.tsx';
}

function filesOf(manifest: Record<string, Chunk>, names: string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const imported of manifest[name]?.imports ?? []) visit(imported);
  };
  for (const name of names) visit(name);
  return [...seen].flatMap((name) => manifest[name]?.file ?? []).filter((file) => file.endsWith('.js'));
}
