/* Writes the entry for registries of MCP servers. */
import { writeOrCheck } from './generated-file.ts';
import { serverJson } from './mcp-manifests/server-json.ts';

await writeOrCheck('mcp-entry', [{ path: 'mcp/server.json', text: serverJson() }]);
