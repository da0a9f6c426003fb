import { readFileSync } from 'node:fs';
import { brand } from '../../contract/src/brand.ts';
import type { GeneratedFile } from '../generated-file.ts';

const folder = 'plugin';
const name = brand.packages.sdk;
const { httpHost, httpPort } = brand.defaults;
const localServer = `http://${httpHost}:${httpPort}`;
const toolsPath = '/mcp?drafts-only';

const description =
  'Gives a coding agent email inboxes: sets up the tools over MCP and the TypeScript SDK, from the documentation of your own server.';
const author = { name: brand.product };

interface PackageFile {
  version: string;
  license: string;
}

function readPackage(): PackageFile {
  return JSON.parse(readFileSync(new URL('../../mcp/package.json', import.meta.url), 'utf8'));
}

/** Every host has its own manifest, and its own way to a secret, so each has a file for the tools, too. */
export function pluginManifests(): GeneratedFile[] {
  const { version, license } = readPackage();
  const shared = { name, version, description, author, license, keywords };
  const files: Record<string, object> = {
    [`${folder}/.claude-plugin/plugin.json`]: {
      ...shared,
      displayName: brand.product,
      mcpServers: './mcp/claude.json',
      userConfig: claudeOptions,
    },
    [`${folder}/.cursor-plugin/plugin.json`]: {
      ...shared,
      displayName: brand.product,
      skills: './skills/',
      mcpServers: './mcp/cursor.json',
    },
    [`${folder}/.codex-plugin/plugin.json`]: {
      ...shared,
      skills: './skills/',
      mcpServers: './mcp/codex.json',
      interface: codexInterface,
    },
    [`${folder}/mcp/claude.json`]: forServers({
      type: 'http',
      url: `\${user_config.server}${toolsPath}`,
      headers: { Authorization: `Bearer \${user_config.api_key}` },
    }),
    [`${folder}/mcp/cursor.json`]: forServers({
      url: `${localServer}${toolsPath}`,
      headers: { Authorization: `Bearer \${env:${brand.env.apiKey}}` },
    }),
    [`${folder}/mcp/codex.json`]: forServers({
      url: `${localServer}${toolsPath}`,
      bearer_token_env_var: brand.env.apiKey,
    }),
    '.claude-plugin/marketplace.json': { ...market, owner: author, plugins: [entry] },
    '.cursor-plugin/marketplace.json': { ...market, owner: author, plugins: [entry] },
    '.agents/plugins/marketplace.json': {
      name,
      interface: { displayName: brand.product },
      plugins: [codexEntry],
    },
  };
  return Object.entries(files).map(([path, content]) => ({
    path,
    text: `${JSON.stringify(content, null, 2)}\n`,
  }));
}

const keywords = ['email', 'inbox', 'mcp', 'ai-agents', 'sdk'];

/** Claude Code asks for these when the plugin is enabled, and keeps the key in the key chain of the machine. */
const claudeOptions = {
  server: {
    type: 'string',
    title: 'Server',
    description: 'The address of your server, without a path.',
    default: localServer,
    required: true,
  },
  api_key: {
    type: 'string',
    title: 'API key',
    description: 'A server prints its first key when it starts. Better is one for this agent alone.',
    sensitive: true,
    required: true,
  },
};

const codexInterface = {
  displayName: brand.product,
  shortDescription: 'Email inboxes for AI agents',
  longDescription: `${description} Tools that send create drafts, which a person sends.`,
  developerName: brand.product,
  category: 'Productivity',
  capabilities: ['Read', 'Write'],
  defaultPrompt: `Set up ${brand.product}, so that you have an inbox of your own.`,
};

function forServers(server: object) {
  return { mcpServers: { [name]: server } };
}

const market = { name, metadata: { description } };
const entry = { name, source: `./${folder}`, description };
const codexEntry = {
  name,
  source: { source: 'local', path: `./${folder}` },
  policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
  category: codexInterface.category,
};
