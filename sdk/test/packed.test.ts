import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  commonJsConsumer,
  consumerProjects,
  moduleConsumer,
  smoke,
  snippetContext,
  typedConsumer,
} from './packed-consumers.ts';

const run = promisify(execFile);
const sdkFolder = fileURLToPath(new URL('..', import.meta.url));
const rootFolder = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name: string) => join(sdkFolder, 'node_modules', '.bin', name);
const tsc = join(rootFolder, 'node_modules', 'typescript', 'bin', 'tsc');

let folder = '';
let tarball = '';

/** Variables of the package manager that runs the tests would change what this one does. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_')),
);

/** Runs a program in a folder and gives its output; a failure is told with the output. */
async function output(cwd: string, program: string, ...args: string[]): Promise<string> {
  try {
    return (await run(program, args, { cwd, env, maxBuffer: 16_000_000 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-sdk-'));
  await output(sdkFolder, 'pnpm', 'pack', '--pack-destination', folder);
  const [name = ''] = await readdir(folder);
  tarball = join(folder, name);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  await output(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball);
  await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
  await symlink(join(sdkFolder, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Types that entries share. */
const sharedTypes = /^dist\/\w+-[\w-]+\.d\.c?ts$/;
/** How an entry gets what it shares. */
const ownImport = /\bfrom\s*['"]\.\/[\w-]+\.c?js['"]|\brequire\(['"]\.\/[\w-]+\.cjs['"]\)/g;

const packed = (...path: string[]) => join(folder, 'node_modules', 'postrider', ...path);

describe('the tarball', () => {
  it('holds what is run, its types, the README and the licence, and nothing else', async () => {
    const files = await readdir(packed(), { recursive: true });
    const entries = ['index', 'testing', 'webhooks'].flatMap((entry) =>
      ['cjs', 'd.cts', 'd.ts', 'js'].map((kind) => `dist/${entry}.${kind}`),
    );
    const shared = ['dist/errors.cjs', 'dist/errors.js'];
    expect(files.filter((file) => !sharedTypes.test(file)).sort()).toEqual(
      ['LICENSE', 'README.md', 'dist', ...entries, ...shared, 'package.json'].sort(),
    );
  });

  it('needs no other package', async () => {
    const manifest = JSON.parse(await readFile(packed('package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
    expect(manifest.exports['.'].import.default).toBe('./dist/index.js');
    expect(await readdir(join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['postrider']));
    for (const file of await readdir(packed('dist'))) {
      const text = await readFile(packed('dist', file), 'utf8');
      expect(text.replaceAll(ownImport, '')).not.toMatch(
        /\bfrom\s*['"]|\brequire\(|\bimport\(|@postrider\/|\bzod\b|ts-rest/,
      );
    }
  });

  it('passes publint', async () => {
    expect(await output(packed(), bin('publint'), 'run', '--strict', '.')).toMatch(/All good|No issues/i);
  });

  it('passes arethetypeswrong for ESM and CommonJS', async () => {
    // Entries beside the main one are not found in the way of Node 10, which no version that is supported goes.
    const report = await output(folder, bin('attw'), '--profile', 'node16', '--format', 'json', tarball);
    const { problems } = JSON.parse(report);
    expect(Object.keys(problems)).toEqual(['NoResolution']);
    for (const { resolutionKind } of problems.NoResolution) expect(resolutionKind).toBe('node10');
  });

  it('is within its size limit', async () => {
    const results = JSON.parse(await output(sdkFolder, bin('size-limit'), '--json'));
    expect(results).toMatchObject([
      { name: 'dist/index.js', passed: true, sizeLimit: 15_000 },
      { name: 'dist/webhooks.js', passed: true, sizeLimit: 3_200 },
    ]);
  });
});

describe('a consumer outside the workspace', () => {
  it.each(Object.entries(consumerProjects))('type-checks strictly with %s', async (name, options) => {
    const project = join(folder, name);
    await mkdir(project);
    const files = options.module === 'nodenext' ? ['consumer.mts', 'consumer.cts'] : ['consumer.ts'];
    for (const file of files) await writeFile(join(project, file), typedConsumer);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      declaration: true,
      outDir: 'out',
      target: 'es2023',
      ...options,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    expect(await output(project, process.execPath, tsc, '--project', project)).toBe('');
  });

  it('type-checks every snippet of the README', async () => {
    const project = join(folder, 'readme');
    await mkdir(project);
    const readme = await readFile(packed('README.md'), 'utf8');
    const snippets = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(snippets.length).toBeGreaterThan(5);
    const files = snippets.map((_text, index) => `snippet-${index}.mts`);
    for (const [index, text] of snippets.entries()) {
      // The first one stands alone; the others go on from it.
      await writeFile(join(project, files[index] ?? ''), index === 0 ? text : snippetContext + text);
    }
    const compilerOptions = { strict: true, noEmit: true, target: 'es2023', ...consumerProjects.nodenext };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    expect(await output(project, process.execPath, tsc, '--project', project)).toBe('');
  });

  it.each([
    ['import', 'smoke.mjs', moduleConsumer],
    ['require', 'smoke.cjs', commonJsConsumer],
  ])('calls a server after %s', async (_how, file, head) => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      const isFound = request.url === '/v1/inboxes/inb_1';
      response.writeHead(isFound ? 200 : 404, {
        'content-type': 'application/json',
        'x-request-id': 'req_1',
      });
      response.end(
        JSON.stringify(
          isFound ? { id: 'inb_1' } : { error: 'not_found', message: 'No.', request_id: 'req_1' },
        ),
      );
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await writeFile(join(folder, file), head + smoke);
    const text = await output(folder, process.execPath, join(folder, file), `http://127.0.0.1:${port}/v1`);
    expect(text).toBe('inb_1 not_found req_1 message.received signature_mismatch\n');
    expect(seen).toEqual([
      'GET /v1/inboxes/inb_1 Bearer pr_test_key',
      'GET /v1/inboxes/inb_2 Bearer pr_test_key',
    ]);
  });
});
