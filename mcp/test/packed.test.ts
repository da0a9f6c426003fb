import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type PackedMcp, packMcp } from '@postrider/testkit/servers/packed-mcp.ts';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let packed: PackedMcp;
beforeAll(async () => {
  packed = await packMcp();
});
afterAll(() => packed?.remove());

describe('the packed command', () => {
  it('needs published packages only, and has nothing but what runs', async () => {
    const manifest = JSON.parse(await readFile(join(packed.folder, 'package.json'), 'utf8'));
    expect(Object.keys(manifest.dependencies).sort()).toEqual([
      '@modelcontextprotocol/server',
      'postrider',
      'zod',
    ]);
    for (const version of Object.values<string>(manifest.dependencies)) expect(version).toMatch(/^[\d^~]/);
    expect((await readdir(packed.folder)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    for (const file of await readdir(join(packed.folder, 'dist')))
      expect(await readFile(join(packed.folder, 'dist', file), 'utf8'), file).not.toMatch(
        /from ["']@(?:postrider|ts-rest)\//,
      );
  });

  it('starts as its bin, and lists its tools', async () => {
    const { main } = packed;
    expect(await readFile(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const client = new Client({ name: 'test', version: '1' });
    const env = { POSTRIDER_API_KEY: 'pr_test_none', PATH: process.env.PATH ?? '' };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [main, '--drafts-only'], env }),
    );
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(19);
    const answer = await client.callTool({ name: 'list_inboxes', arguments: {} });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toMatch(/no_connection|invalid_token/);
    await client.close();
  });
});

describe('the bundle', () => {
  it('runs without an installation, as its manifest says, and makes drafts only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-mcpb-'));
    const file = join(folder, 'postrider.mcpb');
    const script = fileURLToPath(new URL('../../scripts/pack-mcpb.ts', import.meta.url));
    execFileSync(process.execPath, [script, file], { stdio: 'pipe' });
    for (const [name, bytes] of Object.entries(unzipSync(await readFile(file)))) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const args = manifest.server.mcp_config.args.map((arg: string) => arg.replace(/\$\{__dirname\}/, folder));
    const client = new Client({ name: 'test', version: '1' });
    const env = { POSTRIDER_API_KEY: 'pr_test_none', PATH: process.env.PATH ?? '' };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(manifest.tools.map(({ name }: { name: string }) => name));
    expect(names).not.toContain('send_draft');
    await client.close();
    await rm(folder, { recursive: true });
  });
});
