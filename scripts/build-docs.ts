/*
 * Builds the documentation as pages that a server shows, unless those that are there come from the same sources: `npm run docs`, and when
 * the server is packed. VitePress makes the pages; their Markdown and the texts for models are written beside them.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressFolder } from '../console/build/compress-assets.ts';
import { docsPath } from '../server/src/docs/docs-path.ts';
import {
  type Documentation,
  readDocumentation,
  textsForModels,
  writeLinks,
} from '../server/src/docs/read-documentation.ts';
import { readNote, rootFolder, writeNote } from './bootstrap/folders.mjs';
import { hashSources } from './bootstrap/hash-sources.mjs';
import { showProgress } from './bootstrap/progress.mjs';
import { runCommand } from './bootstrap/run-command.mjs';
import { groupCode } from './docs/group-code.ts';
import { moveScripts } from './docs/move-scripts.ts';

const noteName = 'docs.json';
const base = `${docsPath}/`;
const siteFolder = join(rootFolder, 'site');
const pagesFolder = join(siteFolder, 'pages');
const builtFolder = join(siteFolder, 'dist');
const vitepress = join(siteFolder, 'node_modules', 'vitepress', 'bin', 'vitepress.js');

/** Files and folders that decide what the pages are built from, besides the pages. */
const tools = [
  'site/.vitepress/config.ts',
  'site/.vitepress/search-roles.ts',
  'site/.vitepress/theme',
  'site/package.json',
  'server/src/docs',
  'scripts/build-docs.ts',
  'scripts/docs',
  'console/build',
  '.changeset',
  'docs/images',
  'pnpm-lock.yaml',
];

/** Writes the pages where VitePress reads them: with links between pages, and code in several languages as one group. */
function writeSources(documentation: Documentation): void {
  rmSync(pagesFolder, { recursive: true, force: true });
  for (const page of documentation.pages.values())
    write(
      pagesFolder,
      `${page.path}.md`,
      groupCode(writeLinks(documentation, page, { base: '/', suffix: '' })),
    );
  cpSync(join(rootFolder, 'docs', 'images'), join(pagesFolder, 'public', 'images'), { recursive: true });
}

/** Writes what is not HTML: the Markdown of each page, and the texts for models. */
function writeTexts(documentation: Documentation): void {
  for (const page of documentation.pages.values())
    write(builtFolder, `${page.path}.md`, writeLinks(documentation, page, { base, suffix: '.md' }));
  for (const [path, text] of Object.entries(textsForModels(documentation, base)))
    write(builtFolder, path, text);
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function build(documentation: Documentation): Promise<void> {
  writeSources(documentation);
  const { code, output } = await runCommand(process.execPath, [vitepress, 'build', siteFolder], {
    cwd: siteFolder,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code !== 0) throw new Error(`${output}\nThe documentation could not be built. The output is above.`);
  moveScripts(builtFolder, base);
  writeTexts(documentation);
  await compressFolder(builtFolder);
}

const documentation = readDocumentation(rootFolder);
const hash = hashSources([...documentation.pages.keys(), ...tools]);
if (!existsSync(join(builtFolder, 'index.html')) || readNote(noteName)?.hash !== hash) {
  await showProgress('Building the documentation', () => build(documentation));
  writeNote(noteName, { hash });
}
