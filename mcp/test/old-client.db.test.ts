import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

/* The library of 2025, which most hosts still have. It checks each answer against the output schema of its tool. */

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
let server: TestServer;
beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server?.stop());

const ways: [string, () => Transport][] = [
  [
    'standard input and output',
    () => {
      const env = { POSTRIDER_API_KEY: server.key, POSTRIDER_BASE_URL: `${server.url}/v1` };
      return new StdioClientTransport({ command: process.execPath, args: [main], env });
    },
  ],
  [
    'HTTP',
    () => {
      const requestInit = { headers: { authorization: `Bearer ${server.key}` } };
      return new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }) as Transport;
    },
  ],
];

it.each(ways)('a client of 2025 sends, waits, replies and reads the thread over %s', async (_, open) => {
  const client = new Client({ name: 'old', version: '1' });
  await client.connect(open());
  expect((await client.listTools()).tools).toHaveLength(21);
  const call = async (name: string, args: object): Promise<ReturnType<typeof JSON.parse>> => {
    const answer = await client.callTool({ name, arguments: { ...args } });
    expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy();
    return answer.structuredContent;
  };
  const agent = await call('create_inbox', { local_part: server.freshName() });
  const person = await call('create_inbox', { local_part: server.freshName() });
  const mail = { inbox_id: agent.inbox_id, to: [person.address], subject: 'Lunch?', text: 'At noon?' };
  const sent = await call('send_message', mail);
  const arrived = await call('search_messages', { inbox_id: person.inbox_id, wait_seconds: 55 });
  await call('reply_to_message', { message_id: arrived.messages[0].message_id, text: 'Yes.' });
  const wait = { thread_id: sent.thread_id, direction: 'inbound', wait_seconds: 55 };
  expect((await call('search_messages', wait)).messages[0].text).toContain('Yes.');
  expect((await call('get_thread', { thread_id: sent.thread_id })).messages).toHaveLength(2);
  await client.close();
});
