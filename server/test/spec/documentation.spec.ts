import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness/test-server.ts';

/*
 * The JavaScript blocks of a page, one after the other, are a program, and the `text` block behind one of them is what it
 * prints. Here every page runs as it stands; only ids, times and addresses of the moment may differ from what is printed there.
 */

const root = resolve(import.meta.dirname, '../../..');
const guides = (await readdir(join(root, 'docs/guides'))).map((name) => `docs/guides/${name}`);
const pages = ['README.md', 'docs/quickstart.md', ...guides];

const read = (page: string): Promise<string> => readFile(join(root, page), 'utf8');

interface Example {
  program: string;
  output: string;
}

const exampleOf = (page: string): Example => {
  const blocks = [...page.matchAll(/^```js\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)];
  return {
    program: blocks.map(([, code = '']) => code).join('\n'),
    output: blocks.map(([, , printed = '']) => printed).join(''),
  };
};

/** What differs from run to run, each in one spelling. */
const withoutChance = (printed: string): string =>
  printed
    .replaceAll(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1_…')
    .replaceAll(/\b\d{13}\b/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '…');

describe('the documentation', () => {
  let server: TestServer;
  let folder: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { POSTRIDER_RATE_LIMITS: 'on' } });
    folder = await mkdtemp(join(tmpdir(), 'postrider-docs-'));
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(root, 'sdk'), join(folder, 'node_modules/postrider'));
    await writeFile(join(folder, 'invoice.pdf'), '%PDF-1.4\n');
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (
    program: string,
  ): Promise<{ code: number | null; printed: string; problems: string }> => {
    const file = join(folder, 'page.mjs');
    await writeFile(file, program);
    const { key } = await server.workspace();
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
      cwd: folder,
      env: { PATH: process.env.PATH, POSTRIDER_API_KEY: key, POSTRIDER_BASE_URL: `${server.url}/v1` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exit = new Promise<number | null>((done) => child.once('close', done));
    const [printed, problems, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    return { code, printed, problems };
  };

  it.each(pages)('%s runs as printed and prints what it says', async (page) => {
    const { program, output } = exampleOf(await read(page));
    expect(program, 'the page has a program').toContain('new Postrider(');
    const { code, printed, problems } = await run(program);
    expect({ code, problems }).toEqual({ code: 0, problems: '' });
    expect(withoutChance(printed)).toBe(withoutChance(output));
  });
});
