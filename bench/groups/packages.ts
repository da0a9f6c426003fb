/*
 * Compares the SDK with two others of its kind, as seen by a person who installs them: what comes with it, the size of a bundle, how long
 * an import takes, what an uncaught error prints, and how many examples its types have. All three are measured in one run.
 */
import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { median } from '../measure/statistics.ts';

const run = promisify(execFile);
const packScript = fileURLToPath(new URL('../../scripts/pack-sdk.mjs', import.meta.url));
const bundler = 'esbuild@0.28.2';
const rounds = 15;

/** A package, with the code that creates a client of it and a call. */
interface Subject {
  name: string;
  /** The package that npm installs. Null for the SDK of this repository, which is packed first. */
  source: string | null;
  client: string;
  call: string;
  /** The flags for modules that a bundler does not find. */
  external: string[];
}

const subjects: Subject[] = [
  {
    name: 'postrider',
    source: null,
    client:
      "import { Postrider } from 'postrider';\nconst client = new Postrider({ apiKey: 'wrong', baseURL: BASE });",
    call: 'await client.inboxes.list();',
    external: [],
  },
  {
    name: 'openai',
    source: 'openai@7.57.0',
    client: "import OpenAI from 'openai';\nconst client = new OpenAI({ apiKey: 'wrong', baseURL: BASE });",
    call: 'await client.models.list();',
    external: [],
  },
  {
    name: 'agentmail',
    source: 'agentmail@0.5.27',
    client:
      "import { AgentMailClient } from 'agentmail';\n" +
      "const client = new AgentMailClient({ apiKey: 'wrong', environment: { http: BASE, websockets: BASE } });",
    call: 'await client.inboxes.list();',
    external: ['--external:@x402/*'],
  },
];

/** Installs the packages into a temporary folder, measures them and prints a table. */
export async function comparePackages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-packages-'));
  const api = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
    response.end('{"error":"invalid_token","message":"Check the API key.","request_id":"req_1"}');
  });
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));
  const base = `const BASE = 'http://127.0.0.1:${(api.address() as AddressInfo).port}/v1';\n`;
  try {
    const tarball = join(folder, 'postrider.tgz');
    await run(process.execPath, [packScript, tarball]);
    await install(join(folder, 'tools'), bundler);
    const columns: string[][] = [];
    for (const subject of subjects) {
      console.error(subject.name);
      const place = join(folder, subject.name);
      await install(place, subject.source ?? tarball);
      columns.push(await measure(subject, { place, base, esbuild: join(folder, 'tools', bundlerPath) }));
    }
    const names = subjects.map(({ name }) => name);
    const rows = labels.map((label, row) => [label, ...columns.map((column) => column[row])]);
    const table = [['', ...names], ['---', ...names.map(() => '---')], ...rows];
    console.log(table.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
  } finally {
    api.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const bundlerPath = 'node_modules/esbuild/bin/esbuild';
const labels = [
  'version',
  'gzip of what a minimal program loads at once, minified',
  'gzip of all that it may load, in one file',
  'the same without gzip',
  'installed',
  'packages pulled in',
  `import and construct, median of ${rounds}, without an empty Node`,
  'an uncaught 401 on the terminal',
  'an uncaught missing key on the terminal',
  '`@example` in its types',
  'engines',
];

interface Setting {
  place: string;
  base: string;
  esbuild: string;
}

async function measure(subject: Subject, { place, base, esbuild }: Setting): Promise<string[]> {
  const root = join(place, 'node_modules', subject.name);
  const { version, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(place, 'minimal.mjs'), `${base}${subject.client}\nconsole.log(client);\n`);
  const flags = ['--bundle', '--minify', '--format=esm', '--platform=node', ...subject.external];
  const program = join(place, 'minimal.mjs');
  const { stdout: bundle } = await run(esbuild, [program, ...flags], { maxBuffer: 1e8 });
  const first = await firstChunks(esbuild, [program, ...flags], place);
  const files = globSync('node_modules/**/*', { cwd: place, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const sizes = await Promise.all(
    files.map(async (file) => (await readFile(join(file.parentPath, file.name))).length),
  );
  const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: place }).length - 1;
  const types = globSync('**/*.d.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  const texts = await Promise.all(types.map((file) => readFile(join(root, file), 'utf8')));
  const examples = texts.reduce((sum, each) => sum + each.split('@example').length - 1, 0);
  const importMs = await startMs(place, `${base}${subject.client}`);
  const failed = await printedBy(place, `${base}${subject.client}\n${subject.call}`);
  const keyless = await printedBy(
    place,
    `${base}${subject.client.replace("apiKey: 'wrong', ", '')}\n${subject.call}`,
  );
  return [
    version,
    kilobytes(gzipSync(first).length),
    kilobytes(gzipSync(bundle).length),
    kilobytes(bundle.length),
    `${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1)} MB, ${sizes.length} files`,
    String(packages),
    `${importMs.toFixed(0)} ms`,
    kilobytes(failed.length),
    kilobytes(keyless.length),
    String(examples),
    engines?.node ?? 'none',
  ];
}

/** Returns the code that a bundle with splitting loads before any dynamic import. */
async function firstChunks(esbuild: string, args: string[], place: string): Promise<string> {
  const [outdir, metafile] = [join(place, 'out'), join(place, 'meta.json')];
  await run(esbuild, [...args, '--splitting', `--outdir=${outdir}`, `--metafile=${metafile}`], {
    cwd: place,
  });
  const { outputs }: { outputs: Record<string, Output> } = JSON.parse(await readFile(metafile, 'utf8'));
  const loaded = new Set(['out/minimal.js']);
  for (const path of loaded) {
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && next in outputs) loaded.add(next);
  }
  const texts = await Promise.all([...loaded].map((path) => readFile(join(place, path), 'utf8')));
  return texts.join('\n');
}

interface Output {
  imports: { path: string; kind: string }[];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

async function install(place: string, source: string): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', source], { cwd: place });
}

/** Returns how much longer Node takes for a program than for an empty one, by the medians of rounds in which they take turns. */
async function startMs(place: string, program: string): Promise<number> {
  await writeFile(join(place, 'empty.mjs'), '');
  await writeFile(join(place, 'start.mjs'), program);
  const times: Record<string, number[]> = { 'empty.mjs': [], 'start.mjs': [] };
  for (let round = 0; round < rounds; round++) {
    for (const [file, each] of Object.entries(times)) {
      const start = performance.now();
      await run(process.execPath, [file], { cwd: place });
      each.push(performance.now() - start);
    }
  }
  return median(times['start.mjs'] ?? []) - median(times['empty.mjs'] ?? []);
}

/** Returns what a program that ends with an error prints, in an environment without a key. */
async function printedBy(place: string, program: string): Promise<string> {
  await writeFile(join(place, 'uncaught.mjs'), program);
  const child = spawn(process.execPath, ['uncaught.mjs'], { cwd: place, env: { PATH: process.env.PATH } });
  return text(child.stderr);
}
