/*
 * The MCP server as a library, with the same tools as the command, to serve them over HTTP.
 */
export type { ServerContext } from './context.ts';
export { createMcpServer, type McpServerOptions, shareContext } from './server.ts';
export { openSettings, readSettings, type Settings, SettingsError } from './settings.ts';
export { type ToolName, toolNames } from './tools/tool-names.ts';
export { followChanges } from './watch-resources.ts';
