import { readFileSync } from 'node:fs';
import { brand } from '../../contract/src/brand.ts';
import { openSettings } from '../../mcp/src/settings.ts';
import { toolsFor } from '../../mcp/src/tools/all-tools.ts';

const packageFile = new URL('../../mcp/package.json', import.meta.url);

/** Returns the manifest of the bundle (MCPB manifest 0.3). */
export function mcpbManifest() {
  const { version, description, license, keywords } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
    version: string;
    description: string;
    license: string;
    keywords: string[];
  };
  const entry = 'server/main.js';
  const tools = toolsFor({ ...openSettings, draftsOnly: true });
  return {
    manifest_version: '0.3',
    name: brand.packages.sdk,
    display_name: brand.product,
    version,
    description,
    author: { name: brand.product },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`, '--drafts-only'],
        env: {
          [brand.env.apiKey]: `\${user_config.api_key}`,
          [brand.env.baseUrl]: `\${user_config.base_url}`,
        },
      },
    },
    tools: tools.map(({ name, title }) => ({ name, description: title })),
    compatibility: { runtimes: { node: '>=20.16.0' } },
    user_config: {
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'A server prints its first key when it starts.',
        sensitive: true,
        required: true,
      },
      base_url: {
        type: 'string',
        title: 'Server',
        description: 'The base URL of the API, with its version.',
        default: brand.defaults.baseUrl,
        required: true,
      },
    },
  };
}
