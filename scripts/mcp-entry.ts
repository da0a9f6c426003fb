/* Writes what hosts of MCP read: the entry for registries of servers, and the plugin for coding agents. */
import { writeOrCheck } from './generated-file.ts';
import { pluginManifests } from './mcp-manifests/plugin-manifests.ts';
import { pluginSkill } from './mcp-manifests/plugin-skill.ts';
import { serverJson } from './mcp-manifests/server-json.ts';

const entry = { path: 'mcp/server.json', text: serverJson() };
await writeOrCheck('mcp-entry', [entry, ...pluginManifests(), pluginSkill()]);
