/*
 * Inboxes, threads and messages as resources, which people attach to a conversation. Their contents are the same as those that the tools
 * return.
 */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { brand } from '@postrider/contract';
import type { ServerContext } from './context.ts';
import { runTool, type Tool } from './tool.ts';
import { getMessage } from './tools/get-message.ts';
import { searchMessages } from './tools/search-messages.ts';
import { getThread } from './tools/threads.ts';

const scheme = `${brand.packages.sdk}://`;
const mimeType = 'application/json';

interface Kind {
  title: string;
  description: string;
  tool: Tool;
  argument: string;
}

const kinds: Record<string, Kind> = {
  inbox: {
    title: 'Inbox',
    description: 'The newest mail of an inbox.',
    tool: searchMessages,
    argument: 'inbox_id',
  },
  thread: {
    title: 'Thread',
    description: 'A conversation, newest mail first.',
    tool: getThread,
    argument: 'thread_id',
  },
  message: { title: 'Message', description: 'One email.', tool: getMessage, argument: 'message_id' },
};

/** Returns the URI of a resource. */
export function resourceUri(kind: 'inbox' | 'thread' | 'message', id: string): string {
  return `${scheme}${kind}/${id}`;
}

/** Adds the resources whose contents the tools can read. */
export function registerResources(server: McpServer, shared: ServerContext, tools: Tool[]): void {
  for (const [name, { title, description, tool, argument }] of Object.entries(kinds)) {
    if (!tools.some((one) => one.name === tool.name)) continue;
    const list = name === 'inbox' ? () => listInboxes(shared) : undefined;
    const template = new ResourceTemplate(`${scheme}${name}/{id}`, { list });
    server.registerResource(name, template, { title, description, mimeType }, async (uri, { id }, mcp) => {
      const content = await runTool(tool, shared, { [argument]: String(id) }, mcp.mcpReq.signal);
      return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(content) }] };
    });
  }
}

/** The address and the name of an inbox come from inside, so they need no fence. */
async function listInboxes({ client, scope }: ServerContext) {
  const allowed = await scope.ids();
  const { inboxes } = await client.inboxes.list({ limit: 100 });
  const shown = inboxes.filter(({ id }) => allowed === null || allowed.includes(id));
  return {
    resources: shown.map(({ id, address }) => ({ uri: resourceUri('inbox', id), name: address, mimeType })),
  };
}
