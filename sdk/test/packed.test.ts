import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
import { findRuntimes } from './runtimes.ts';

const run = promisify(execFile);
const sdkFolder = fileURLToPath(new URL('..', import.meta.url));
const rootFolder = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name: string) => join(sdkFolder, 'node_modules', '.bin', name);
const tsc = join(rootFolder, 'node_modules', 'typescript', 'bin', 'tsc');
const tscOfConsumers = join(sdkFolder, 'node_modules', 'typescript-5.9', 'bin', 'tsc');

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
  tarball = join(folder, 'postrider.tgz');
  await output(rootFolder, 'npm', 'run', 'pack:sdk', '--', tarball);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await output(folder, 'npm', ...install, tarball);
  await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
  await symlink(join(sdkFolder, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Types that entries share. */
const sharedTypes = /^dist\/\w+-[\w-]+\.d\.c?ts$/;
const comment = /\/\*\*[\s\S]*?\*\//g;
/** How an entry gets what it shares. */
const ownImport = /\b(?:from\s*|require\(|import\()['"]\.\/[\w-]+\.c?js['"]/g;

const packed = (...path: string[]) => join(folder, 'node_modules', 'postrider', ...path);

describe('the tarball', () => {
  it('holds what is run, its types, the README and the licence, and nothing else', async () => {
    const files = await readdir(packed(), { recursive: true });
    const entries = ['index', 'management', 'secrets', 'testing', 'webhooks'].flatMap((entry) =>
      ['cjs', 'd.cts', 'd.ts', 'js'].map((kind) => `dist/${entry}.${kind}`),
    );
    const shared = ['errors', 'find-secret'].flatMap((name) =>
      ['cjs', 'js'].map((kind) => `dist/${name}.${kind}`),
    );
    expect(files.filter((file) => !sharedTypes.test(file)).sort()).toEqual(
      ['LICENSE', 'README.md', 'dist', ...entries, ...shared, 'dist/program.js', 'package.json'].sort(),
    );
  });

  it('is refused by npm, which would make one that cannot be imported, with the command that works', async () => {
    await expect(output(sdkFolder, 'npm', 'pack', '--dry-run')).rejects.toThrow('npm run pack:sdk');
  });

  it('needs no other package', async () => {
    const manifest = JSON.parse(await readFile(packed('package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
    expect(manifest.exports['.'].import.default).toBe('./dist/index.js');
    expect(await readdir(join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['postrider']));
    for (const file of (await readdir(packed('dist'))).filter((name) => name !== 'program.js')) {
      const text = await readFile(packed('dist', file), 'utf8');
      const imports = text.replaceAll(comment, '').replaceAll(ownImport, '');
      expect(imports, file).not.toMatch(
        /[\s}*]from\s*['"]|\brequire\(|\bimport\(|@postrider\/contract|\bzod\b|ts-rest/,
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

  it('is within its size limits once it is minified', async () => {
    await cp(packed('dist'), join(sdkFolder, 'dist'), { recursive: true });
    const results = JSON.parse(await output(sdkFolder, bin('size-limit'), '--json'));
    expect(results).toMatchObject([
      { name: 'client', passed: true, sizeLimit: 25_200 },
      { name: 'client, with what it loads when needed', passed: true },
      { name: 'webhooks', passed: true },
    ]);
  });

  it('has a program that uses the library beside it, and has nothing of it', async () => {
    expect((await output(folder, 'npx', '--offline', 'postrider', '--help')).split('\n')[0]).toContain(
      'from a shell',
    );
    const code = await readFile(packed('dist', 'program.js'), 'utf8');
    expect(code).toContain('from "./index.js"');
    expect(code).not.toContain('class Postrider');
    expect(await readFile(packed('dist', 'index.js'), 'utf8')).not.toContain('parseArgs');
  });

  it('has no types of what only the client itself uses', async () => {
    const declared = await readFile(packed('dist', 'index.d.ts'), 'utf8');
    expect(declared).not.toMatch(/\bCaller\b|PersistentRequests|CallSettings/);
  });

  it('is code that can be read', async () => {
    const code = await readFile(packed('dist', 'index.js'), 'utf8');
    expect(Math.max(...code.split('\n').map(({ length }) => length))).toBeLessThan(1_000);
    expect(code).toMatch(/^var Postrider = class/m);
  });

  it('is not made by a program that would leave its exports at the sources', async () => {
    const refusal = await output(sdkFolder, 'npm', 'pack', '--dry-run').catch(
      (error: Error) => error.message,
    );
    expect(refusal).toContain('Run `npm run pack:sdk` at the root');
  });
});

const runtimes = await findRuntimes();

describe('a consumer outside the workspace', () => {
  const projects = Object.entries(consumerProjects);
  const compilers = Object.entries({ '5.9': tscOfConsumers, '6': tsc });
  it.each(
    compilers.flatMap(([version, compiler]) => projects.map((each) => [version, ...each, compiler] as const)),
  )('type-checks strictly by TypeScript %s with %s', async (version, name, options, compiler) => {
    const project = join(folder, `${name}-${version}`);
    await mkdir(project);
    const files = consumerFiles(options);
    for (const file of files) await writeFile(join(project, file), typedConsumer);
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      declaration: true,
      outDir: 'out',
      target: 'es2023',
      ...options,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    expect(await output(project, process.execPath, compiler, '--project', project)).toBe('');
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

  it.each(runtimes)('runs on %s', async (name, runtime) => {
    const [program, ...flags] = runtime.command;
    await expectCalls(program, ...flags, await consumer(`${name.replace(' ', '')}.mjs`, moduleConsumer));
  });

  it.each([
    ['import', 'smoke.mjs', moduleConsumer],
    ['require', 'smoke.cjs', commonJsConsumer],
  ])('calls a server after %s', async (_how, file, head) => {
    await expectCalls(process.execPath, await consumer(file, head));
  });
});

/** A project with `verbatimModuleSyntax` has no ES imports in CommonJS. */
function consumerFiles({ module, verbatimModuleSyntax }: (typeof consumerProjects)[string]): string[] {
  if (module === 'esnext') return ['consumer.ts'];
  return verbatimModuleSyntax ? ['consumer.mts'] : ['consumer.mts', 'consumer.cts'];
}

/** Writes the program of a consumer and gives its path. */
async function consumer(file: string, head: string): Promise<string> {
  await writeFile(join(folder, file), head + smoke);
  return join(folder, file);
}

/** Runs the program of a consumer against a server, and checks what it prints and asks. */
async function expectCalls(program: string, ...args: string[]): Promise<void> {
  const seen: string[] = [];
  const baseURL = await openApi(seen);
  expect(await output(folder, program, ...args, baseURL)).toBe(
    'inb_1 not_found req_1 message.received signature_mismatch evt_2\n',
  );
  expect(seen.slice(0, 2)).toEqual([
    'GET /v1/inboxes/inb_1 Bearer pr_test_key',
    'GET /v1/inboxes/inb_2 Bearer pr_test_key',
  ]);
}

/** Opens a server that knows one inbox and one event behind the newest, and notes what it is asked. */
async function openApi(seen: string[]): Promise<string> {
  const answers: Record<string, object> = {
    '/v1/inboxes/inb_1': { id: 'inb_1' },
    '/v1/events?after=latest&limit=1': { events: [], next_cursor: 'evt_1' },
    '/v1/events?events=message.received&inbox_id=inb_2&after=evt_1': { events: [], next_cursor: 'evt_1' },
    '/v1/events?after=evt_1': { events: [{ id: 'evt_2', event: 'message.received' }], next_cursor: 'evt_2' },
  };
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    seen.push(`${request.method} ${url} ${request.headers.authorization}`);
    const known = Object.entries(answers).find(([path]) => url === path || url.startsWith(`${path}&`));
    response.writeHead(known ? 200 : 404, { ...headersOfServer, 'x-request-id': 'req_1' });
    response.end(JSON.stringify(known?.[1] ?? { error: 'not_found', message: 'No.', request_id: 'req_1' }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** As many headers as an answer of the server has. */
const headersOfServer = {
  'content-type': 'application/json',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'ratelimit-limit': '1000',
  'ratelimit-remaining': '999',
  'ratelimit-reset': '1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

describe('an error that nobody catches', () => {
  it.each<[string, (baseURL: string) => string, string]>([
    ['a missing key', () => 'new Postrider()', 'PostriderError: The API key is missing'],
    [
      'an answer of the API',
      (url) => `await new Postrider({ apiKey: 'k', baseURL: '${url}' }).inboxes.get('inb_2')`,
      'NotFoundError: 404 not_found: No. (request req_1)',
    ],
    [
      'a server that is away',
      () =>
        "await new Postrider({ apiKey: 'k', baseURL: 'http://127.0.0.1:4/v1', maxRetries: 0 }).account.get()",
      'ConnectionError: GET http://127.0.0.1:4/v1/account: no response, because connect ECONNREFUSED',
    ],
    [
      'a port that is not called',
      () =>
        "await new Postrider({ apiKey: 'k', baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0 }).account.get()",
      'ConnectionError: GET http://127.0.0.1:1/v1/account: no response, because bad port',
    ],
    [
      'a wait in vain',
      (url) =>
        `await new Postrider({ apiKey: 'k', baseURL: '${url}' }).messages.waitFor({ inbox_id: 'inb_2', timeout: 300 })`,
      'WaitTimeoutError: No inbound message with inbox_id "inb_2" arrived within 0.3 s',
    ],
  ])('of %s is printed in under 1.5 KB, with what it says first', async (_what, call, message) => {
    const program = `import { Postrider } from 'postrider';\n${call(await openApi([]))};\n`;
    await writeFile(join(folder, 'uncaught.mjs'), program);
    const text = await output(folder, process.execPath, 'uncaught.mjs').catch((error: Error) =>
      String(error.cause),
    );
    const printed = text.slice(text.search(/^(?:file|node):/m));
    expect(Buffer.byteLength(printed)).toBeLessThan(1_500);
    // Before it Node prints where it was thrown: the place, the line, and a mark below it.
    expect(printed.split('\n').slice(3, 5).join('\n').trim()).toContain(message);
  });

  it('is of a class with its own name', async () => {
    const program = `${moduleConsumer}
      const names = [APIError, NotFoundError, PostriderError, TimeoutError, WaitTimeoutError].map(({ name }) => name);
      console.log(names.join());`;
    await writeFile(join(folder, 'names.mjs'), program);
    expect(await output(folder, process.execPath, 'names.mjs')).toBe(
      'APIError,NotFoundError,PostriderError,TimeoutError,WaitTimeoutError\n',
    );
  });
});
