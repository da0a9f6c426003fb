import { readFileSync } from 'node:fs';
import { brand } from '../../contract/src/brand.ts';

const packageFile = new URL('../../mcp/package.json', import.meta.url);
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Everybody has a server of their own, so the URL is a template. Registries take no other scheme, and no server of this machine. */
const remote = {
  type: 'streamable-http',
  url: 'https://{host}/mcp?drafts-only',
  variables: {
    host: {
      description: 'The host of your server, with its port unless that is 443.',
      placeholder: 'mail.example.com',
      isRequired: true,
    },
  },
  headers: [
    {
      name: 'Authorization',
      description: 'The API key, which the server prints when it first starts, or the console makes.',
      value: 'Bearer {api_key}',
      variables: {
        api_key: {
          description: 'The API key.',
          placeholder: `${brand.keyPrefix.live}…`,
          isRequired: true,
          isSecret: true,
        },
      },
    },
  ],
};

/** Returns the entry for registries of MCP servers. Its name has to be that of `mcpName` in the package. */
export function serverJson(): string {
  const { version, mcpName } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
    version: string;
    mcpName: string;
  };
  const entry = {
    $schema: schema,
    name: mcpName,
    title: brand.product,
    description:
      'Email inboxes for AI agents: read, search, wait for and send mail, with drafts for a person.',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: brand.packages.mcp,
        version,
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'named', name: '--drafts-only', description: 'Tools that send create drafts.' },
        ],
        environmentVariables: [
          { name: brand.env.apiKey, description: 'The API key.', isRequired: true, isSecret: true },
          {
            name: brand.env.baseUrl,
            description: 'The base URL of the API.',
            default: brand.defaults.baseUrl,
          },
        ],
      },
    ],
    remotes: [remote],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}
