import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brand } from '@postrider/contract';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/* The skill of the plugin tells an agent what to do with a server. Here a server is there. */
const root = resolve(import.meta.dirname, '../..');
const name = brand.packages.sdk;

let server: TestServer;
let skill: string;
beforeAll(async () => {
  server = await joinTestServer();
  skill = await readFile(join(root, 'plugin/skills', name, 'SKILL.md'), 'utf8');
});
afterAll(() => server?.stop());

describe('the skill', () => {
  it('has a program that runs as it stands, and again', async () => {
    const program = /^```js\n(.*?)^```$/ms.exec(skill)?.[1] ?? '';
    const folder = await mkdtemp(join(tmpdir(), 'skill-'));
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(root, 'sdk'), join(folder, 'node_modules', name));
    await writeFile(join(folder, 'program.mjs'), program);
    const env = {
      PATH: process.env.PATH,
      [brand.env.apiKey]: server.key,
      [brand.env.baseUrl]: `${server.url}/v1`,
    };
    const run = () =>
      promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder, env, timeout: 120_000 });
    for (const { stdout } of [await run(), await run()]) expect(stdout).toBe('Re: Hello\n');
    const sent = await server.client.messages.list({ direction: 'outbound' });
    expect(sent.messages.map(({ subject }) => subject)).toEqual(['Hello']);
    await rm(folder, { recursive: true });
  });

  it('names addresses that the server has', async () => {
    const named = [...skill.matchAll(/SERVER(\/[a-z./]*)/g)].map(([, path = '']) => path);
    // The documentation of a server is built apart from it.
    const paths = [...new Set(named)].filter((path) => !path.startsWith('/docs'));
    expect(paths.sort()).toEqual(['/console', '/livez', '/mcp', '/openapi.json']);
    for (const path of paths) expect((await fetch(server.url + path)).status, path).not.toBe(404);
  });
});
