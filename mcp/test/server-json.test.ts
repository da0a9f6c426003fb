import { readFileSync } from 'node:fs';
import { brand } from '@postrider/contract';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { serverJson } from '../../scripts/mcp-manifests/server-json.ts';
import { readCommand, readSettings } from '../src/settings.ts';

/*
 * The rules of `server.schema.json` of 2025-12-11 and of the registry of MCP servers for the fields in use. They ignore other fields,
 * which would hide a misspelt one, so none is allowed here.
 */
const input = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
};
const Variables = z.record(z.string(), z.strictObject(input));
const KeyValue = z.strictObject({
  ...input,
  name: z.string(),
  value: z.string().optional(),
  variables: Variables.optional(),
});
const Version = z.string().regex(/^\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?$/);
const Entry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: Version,
  packages: z.array(
    z.strictObject({
      registryType: z.enum(['npm', 'mcpb']),
      identifier: z.string(),
      version: Version,
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(
        z.strictObject({ ...input, type: z.literal('named'), name: z.string().startsWith('--') }),
      ),
      environmentVariables: z.array(KeyValue),
    }),
  ),
  remotes: z.array(
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string(),
      variables: Variables,
      headers: z.array(KeyValue),
    }),
  ),
});

const packageOf = (folder: string) =>
  JSON.parse(readFileSync(new URL(`../../${folder}/package.json`, import.meta.url), 'utf8'));
const namesIn = (template: string) => [...template.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);

describe('the entry for registries', () => {
  const entry = Entry.parse(JSON.parse(serverJson()));
  const [remote] = entry.remotes;

  it('has the name and the version of the package', () => {
    const { mcpName, name, version } = packageOf('mcp');
    expect(entry).toMatchObject({ name: mcpName, version });
    expect(entry.packages).toMatchObject([{ identifier: name, version }]);
  });

  it('has arguments that the command takes', () => {
    const args = entry.packages[0]?.packageArguments.map(({ name }) => name) ?? [];
    expect(readCommand(args)).toMatchObject({ kind: 'serve', settings: { draftsOnly: true } });
  });

  it('has a remote of which each variable is described, with a URL that the server understands', () => {
    expect(namesIn(remote!.url)).toEqual(Object.keys(remote!.variables));
    const url = new URL(remote!.url.replace('{host}', remote!.variables.host!.placeholder!));
    // The registry refuses any other.
    expect([url.protocol, url.hostname]).toEqual(['https:', 'mail.example.com']);
    expect(url.pathname).toBe('/mcp');
    expect(readSettings(url.searchParams)).toMatchObject({ draftsOnly: true });
  });

  it('has a header with the key, which is secret', () => {
    const [header, ...others] = remote!.headers;
    expect(others).toEqual([]);
    expect(header).toMatchObject({ name: 'Authorization', value: 'Bearer {api_key}' });
    expect(namesIn(header!.value!)).toEqual(Object.keys(header!.variables!));
    expect(header!.variables!.api_key).toMatchObject({ isSecret: true, isRequired: true });
    expect(header!.variables!.api_key!.placeholder).toContain(brand.keyPrefix.live);
  });
});
