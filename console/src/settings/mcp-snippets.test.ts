import { expect, test } from 'vitest';
import { mcpSnippet } from './mcp-snippets.ts';

const apiUrl = 'https://mail.example.com/v1';

test('a command has the address of the MCP server next to the API, and the key in a header', () => {
  const { file, code } = mcpSnippet('claude', apiUrl, 'pr_live_x');
  expect(file).toBeNull();
  expect(code).toContain('"https://mail.example.com/mcp?drafts-only"');
  expect(code).toContain('--header "Authorization: Bearer pr_live_x"');
});

test('each editor has the names that it reads', () => {
  const server = {
    url: 'https://mail.example.com/mcp?drafts-only',
    headers: { Authorization: 'Bearer pr_live_x' },
  };
  const cursor = mcpSnippet('cursor', apiUrl, 'pr_live_x');
  expect([cursor.file, JSON.parse(cursor.code)]).toEqual([
    '.cursor/mcp.json',
    { mcpServers: { postrider: server } },
  ]);
  const code = mcpSnippet('vscode', apiUrl, 'pr_live_x');
  expect([code.file, JSON.parse(code.code)]).toEqual([
    '.vscode/mcp.json',
    { servers: { postrider: { type: 'http', ...server } } },
  ]);
});
