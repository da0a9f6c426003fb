import { fileURLToPath } from 'node:url';
import {
  type CallToolResult,
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { createMcpServer, openSettings, type Settings, shareContext } from '../src/index.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The result of a tool. */
export interface Answer {
  isError: boolean;
  /** Of any shape: tests read the fields that they expect. */
  data: ReturnType<typeof JSON.parse>;
  text: string;
}

/** A client that calls tools as a host does. */
export interface Host {
  client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

/** The protocol of 2025 with its handshake, or that of 2026 without. */
export type Era = 'legacy' | 'modern';

const modes = { legacy: 'legacy', modern: { pin: '2026-07-28' } } as const;

/** Connects to a server of tools in this process. */
export async function connectHere(
  { client: api, key }: Pick<TestServer, 'client' | 'key'>,
  settings: Partial<Settings> = {},
): Promise<Host> {
  const shared = shareContext({ client: api, secret: key, settings: { ...openSettings, ...settings } });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(shared).connect(theirs as never);
  return connect(ours);
}

/** Starts the command and connects to it. */
export function connectToCommand(
  { url, key }: Pick<TestServer, 'url' | 'key'>,
  args: string[] = [],
  era: Era = 'legacy',
): Promise<Host> {
  const env = { POSTRIDER_API_KEY: key, POSTRIDER_BASE_URL: `${url}/v1`, PATH: process.env.PATH ?? '' };
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, ...args], env });
  return connect(transport, era);
}

/** Connects to the server itself. */
export function connectOverHttp(
  { url, key }: Pick<TestServer, 'url' | 'key'>,
  { era = 'modern', query = '' }: { era?: Era; query?: string } = {},
): Promise<Host> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  return connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit }), era);
}

/** Connects over any transport. */
export async function connect(transport: Transport, era: Era = 'legacy'): Promise<Host> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: modes[era] } });
  await client.connect(transport);
  return {
    client,
    call: async (name, args = {}) =>
      readAnswer((await client.callTool({ name, arguments: args })) as CallToolResult),
    close: () => client.close(),
  };
}

function readAnswer({ isError = false, content, structuredContent }: CallToolResult): Answer {
  const [part] = content;
  const text = part?.type === 'text' ? part.text : '';
  return { isError, data: structuredContent ?? JSON.parse(text), text };
}
