import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brand } from '@postrider/contract';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readSettings } from '../src/settings.ts';

/*
 * The fields that the hosts document for their manifests. They drop or refuse any other, so the tests allow no other.
 * Claude Code: manifest reference; Cursor: plugin.schema.json; Codex: plugin-json-spec.md.
 */
const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'plugin');
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const Name = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
const InPlugin = z.string().regex(/^\.\/(?!.*\.\.)/);
const shared = {
  name: Name,
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(20).max(200),
  author: z.strictObject({ name: z.string() }),
  license: z.string(),
  keywords: z.array(z.string()),
  mcpServers: InPlugin,
};
const Option = z.strictObject({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.string(),
  description: z.string(),
  default: z.string().optional(),
  required: z.boolean().optional(),
  sensitive: z.boolean().optional(),
});
const manifests = {
  claude: z.strictObject({
    ...shared,
    displayName: z.string(),
    userConfig: z.record(z.string().regex(/^[a-z_]+$/), Option),
  }),
  cursor: z.strictObject({ ...shared, displayName: z.string(), skills: InPlugin }),
  codex: z.strictObject({
    ...shared,
    skills: InPlugin,
    interface: z.strictObject({
      displayName: z.string(),
      shortDescription: z.string().max(60),
      longDescription: z.string(),
      developerName: z.string(),
      category: z.string(),
      capabilities: z.array(z.string()),
      defaultPrompt: z.string(),
    }),
  }),
};
const servers = {
  claude: z.strictObject({
    type: z.literal('http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
  }),
  cursor: z.strictObject({ url: z.string(), headers: z.record(z.string(), z.string()) }),
  codex: z.strictObject({ url: z.string(), bearer_token_env_var: z.string() }),
};
const hosts = ['claude', 'cursor', 'codex'] as const;
type Host = (typeof hosts)[number];

const manifestOf = (host: Host) => manifests[host].parse(readJson(`plugin/.${host}-plugin/plugin.json`));
const serverOf = (host: Host) => {
  const { mcpServers } = readJson(join('plugin', manifestOf(host).mcpServers));
  expect(Object.keys(mcpServers)).toEqual([brand.packages.sdk]);
  return servers[host].parse(mcpServers[brand.packages.sdk]);
};

describe.each(hosts)('the manifest for %s', (host) => {
  it('has the name of the product, and the version of the packages', () => {
    const { name, version, license } = manifestOf(host);
    expect(name).toBe(brand.packages.sdk);
    for (const one of ['mcp', 'sdk', 'server'])
      expect(readJson(`${one}/package.json`).version, one).toBe(version);
    expect(license).toBe(readJson('mcp/package.json').license);
  });

  it('names files that are there', () => {
    const manifest = manifestOf(host);
    expect(statSync(join(folder, manifest.mcpServers)).isFile()).toBe(true);
    // Claude Code finds the skills of this folder by itself.
    const skills = 'skills' in manifest ? manifest.skills : './skills/';
    expect(existsSync(join(folder, skills, manifest.name, 'SKILL.md'))).toBe(true);
  });

  it('connects to the tools of a server, which make drafts, and has no key', () => {
    const server = serverOf(host);
    const options = 'userConfig' in manifestOf(host) ? (manifestOf('claude') as Claude).userConfig : {};
    const url = new URL(server.url.replace(`\${user_config.server}`, options.server?.default ?? ''));
    expect(url.origin).toBe(new URL(brand.defaults.baseUrl).origin);
    expect(url.pathname).toBe('/mcp');
    expect(readSettings(url.searchParams)).toMatchObject({ draftsOnly: true });
    expect(JSON.stringify(server)).not.toContain(brand.keyPrefix.live);
  });
});

type Claude = z.output<typeof manifests.claude>;

describe('the key', () => {
  it('is asked for by Claude Code, which keeps it as a secret', () => {
    expect((manifestOf('claude') as Claude).userConfig.api_key).toMatchObject({ sensitive: true });
    expect(serverOf('claude')).toMatchObject({
      headers: { Authorization: `Bearer \${user_config.api_key}` },
    });
  });

  it('is in the environment for the others', () => {
    expect(serverOf('cursor')).toMatchObject({
      headers: { Authorization: `Bearer \${env:${brand.env.apiKey}}` },
    });
    expect(serverOf('codex')).toMatchObject({ bearer_token_env_var: brand.env.apiKey });
  });
});

describe('the catalogues of this repository', () => {
  it.each([
    ['.claude-plugin/marketplace.json', ({ source }: { source: string }) => source],
    ['.cursor-plugin/marketplace.json', ({ source }: { source: string }) => source],
    ['.agents/plugins/marketplace.json', ({ source }: { source: { path: string } }) => source.path],
  ])('%s leads to the plugin', (path, sourceOf) => {
    const { name, plugins } = readJson(path);
    expect(name).toBe(brand.packages.sdk);
    expect(plugins).toHaveLength(1);
    expect(plugins[0].name).toBe(brand.packages.sdk);
    expect(join(root, sourceOf(plugins[0]))).toBe(folder);
  });
});

describe('the skill', () => {
  const text = readFileSync(join(folder, 'skills', brand.packages.sdk, 'SKILL.md'), 'utf8');
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];

  it('has the name of its folder, and a description that hosts show as a whole', () => {
    const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
    expect(Object.keys(fields)).toEqual(['name', 'description']);
    expect(fields.name).toBe(brand.packages.sdk);
    const description = JSON.parse(fields.description!);
    expect(description).toContain('Use it when');
    expect(description.length).toBeLessThanOrEqual(250);
  });

  it('begins with the documentation of the server, and makes drafts', () => {
    expect(body.indexOf('SERVER/docs/llms.txt')).toBeGreaterThan(0);
    expect(body.indexOf('SERVER/docs/llms.txt')).toBeLessThan(body.indexOf('npm install'));
    const urls = body.match(/SERVER\/mcp\?[^"]*/g) ?? [];
    expect(new Set(urls)).toEqual(new Set(['SERVER/mcp?drafts-only']));
  });
});
