import { brand } from '@postrider/contract/brand';

/** A host of language models that the page has an example for. */
export type McpHost = 'claude' | 'cursor' | 'vscode';

/** The setup of a host: a command, or a file with its content. */
export interface McpSnippet {
  /** The file to put the code into; null for a command. */
  file: string | null;
  code: string;
}

const option = '?drafts-only';
const name = brand.script;

/** Returns how a host gets the tools of the server over HTTP, with drafts only. */
export function mcpSnippet(host: McpHost, apiUrl: string, key: string): McpSnippet {
  const url = `${serverUrl(apiUrl)}/mcp${option}`;
  const headers = { Authorization: `Bearer ${key}` };
  if (host === 'claude') {
    const header = `--header "Authorization: ${headers.Authorization}"`;
    return { file: null, code: `claude mcp add --transport http ${name} "${url}" \\\n  ${header}` };
  }
  const config =
    host === 'cursor'
      ? { mcpServers: { [name]: { url, headers } } }
      : { servers: { [name]: { type: 'http', url, headers } } };
  return {
    file: host === 'cursor' ? '.cursor/mcp.json' : '.vscode/mcp.json',
    code: JSON.stringify(config, null, 2),
  };
}

/** Returns the address of the server from the one of its API, which ends with the version. */
export function serverUrl(apiUrl: string): string {
  return apiUrl.replace(/\/v\d+\/?$/, '');
}
