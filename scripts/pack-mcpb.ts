/*
 * Packs the MCP server as a bundle (MCPB), which hosts such as Claude Desktop install by a double click. The first argument is its path.
 * It has the option `--drafts-only`, so that a person sends.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';
import { brand } from '../contract/src/brand.ts';
import { mcpbManifest } from './mcp-manifests/mcpb-manifest.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = resolve(process.argv[2] ?? `${brand.packages.sdk}.mcpb`);

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
const build = ['exec', 'tsup', '--config', 'bundle.config.ts', '--out-dir', folder];
execFileSync('pnpm', build, { cwd: `${root}mcp`, stdio: 'pipe' });
const manifest = mcpbManifest();
const files = {
  'manifest.json': strToU8(`${JSON.stringify(manifest, null, 2)}\n`),
  [manifest.server.entry_point]: readFileSync(join(folder, 'main.js')),
  'package.json': strToU8('{ "type": "module" }\n'),
  LICENSE: readFileSync(`${root}mcp/LICENSE`),
};
writeFileSync(target, zipSync(files));
rmSync(folder, { recursive: true });
console.log(target);
