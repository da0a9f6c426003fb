import { Client, InMemoryTransport, type Tool } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { Postrider } from 'postrider';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer, openSettings, type Settings, shareContext, toolNames } from '../src/index.ts';

/** Returns the tools as a host gets them. */
async function listTools(settings: Partial<Settings> = {}): Promise<Tool[]> {
  const client = new Postrider({ apiKey: 'pr_test_none', baseURL: 'http://127.0.0.1:9/v1' });
  const shared = shareContext({ client, secret: 'none', settings: { ...openSettings, ...settings } });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(shared).connect(theirs as never);
  const host = new Client({ name: 'test', version: '1' });
  await host.connect(ours);
  return (await host.listTools()).tools;
}

let tools: Tool[];
beforeAll(async () => {
  tools = await listTools();
});

const withoutOutputs = () => tools.map(({ outputSchema: _, ...tool }) => tool);
const countTokens = (value: unknown) => encode(JSON.stringify(value)).length;
const namesWith = async (settings: Partial<Settings>) =>
  (await listTools(settings)).map(({ name }) => name).sort();

describe('the list of tools', () => {
  it('has exactly the 21 tools', () => {
    expect(tools.map(({ name }) => name).sort()).toEqual([...toolNames].sort());
  });

  it('takes at most 4,000 tokens, and 8,000 with output schemas', () => {
    expect(countTokens(withoutOutputs())).toBeLessThanOrEqual(4_000);
    expect(countTokens(tools)).toBeLessThanOrEqual(8_000);
  });

  it('takes at most 12 KB without output schemas, and 24 KB with them', () => {
    expect(JSON.stringify(withoutOutputs()).length).toBeLessThanOrEqual(12_288);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(24_576);
  });

  it('has all four annotations on every tool, and an output schema', () => {
    for (const { name, annotations, outputSchema, title } of tools) {
      expect(Object.keys(annotations ?? {}).sort(), name).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
      expect(outputSchema?.type, name).toBe('object');
      expect(title, name).toBeTruthy();
    }
  });

  it('is what was reviewed', async () => {
    for (const tool of tools)
      await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(
        `__toolsnaps__/${tool.name}.json`,
      );
  });
});

describe('the settings', () => {
  const readingNames = [
    'get_domain',
    'get_message',
    'get_thread',
    'list_address_rules',
    'list_drafts',
    'list_inboxes',
    'list_threads',
    'list_webhooks',
    'search_messages',
  ];

  it('leave only tools that change nothing with readOnly', async () => {
    expect(await namesWith({ readOnly: true })).toEqual(readingNames);
    const reading = await listTools({ readOnly: true });
    const hints = reading.map(({ annotations }) => annotations?.readOnlyHint);
    expect(new Set(hints)).toEqual(new Set([true]));
    // The one that can also write.
    const tool = reading.find(({ name }) => name === 'get_message');
    await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(
      '__toolsnaps__/get_message.read-only.json',
    );
  });

  it('leave the sending of drafts to a person with draftsOnly', async () => {
    expect(await namesWith({ draftsOnly: true })).toEqual(
      toolNames.filter((name) => name !== 'send_draft' && name !== 'create_webhook').sort(),
    );
  });

  it('say of tools that send that they make drafts, of which two are two', async () => {
    for (const { name, description, annotations } of await listTools({ draftsOnly: true })) {
      if (!/^(?:send|reply|forward)/.test(name)) continue;
      expect(description, name).toContain('makes a draft');
      expect(description, name).not.toContain('twice');
      expect(annotations?.idempotentHint, name).toBe(false);
    }
  });

  it('leave no way to have mail sent elsewhere where recipients are restricted', async () => {
    expect(await namesWith({ recipients: ['example.com'] })).not.toContain('create_webhook');
  });

  it('leave the named tools only, and never more than the others allow', async () => {
    expect(await namesWith({ tools: ['get_message', 'send_message'] })).toEqual([
      'get_message',
      'send_message',
    ]);
    expect(await namesWith({ tools: ['get_message', 'send_message'], readOnly: true })).toEqual([
      'get_message',
    ]);
  });

  it('leave nothing that changes what all inboxes share if some inboxes are named', async () => {
    const names = await namesWith({ inboxes: ['inb_01m7yyvjvve8jaq5s0hvhdb6px'] });
    for (const name of [
      'create_inbox',
      'delete_inbox',
      'add_domain',
      'create_webhook',
      'delete_webhook',
      'add_address_rule',
    ])
      expect(names).not.toContain(name);
    expect(names).toContain('send_message');
  });
});
