import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { fillWorkspace } from '@postrider/testkit/servers/workspace-things.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../server/src/audit/append-audit.ts';
import { setPolicy } from '../../server/src/policies/set-policy.ts';
import { toolNames } from '../src/index.ts';
import type { ToolName } from '../src/tools/tool-names.ts';
import { connectHere } from './connect.ts';

let running: ServerWithSink;
beforeAll(async () => {
  running = await startServerWithSink();
});
afterAll(() => running.stop());

/** The tools that send, and what is called of each. The type makes sure that none is left out. */
const sending = ['send_message', 'reply_to_message', 'forward_message', 'send_draft'];
type Things = Awaited<ReturnType<typeof fillWorkspace>>['ids'];
const makeArguments = (
  ids: Things,
  unused: Record<'inbox' | 'webhook', string>,
): Record<ToolName, object> => {
  const soon = new Date().toISOString();
  const letter = { inbox_id: ids.inbox, to: ['ada@remote.example'], subject: 'Hello', text: 'Hello' };
  return {
    send_message: letter,
    reply_to_message: { message_id: ids.message, text: 'Hi', reply_all: true },
    forward_message: { message_id: ids.message, to: ['bob@remote.example'], include_attachments: true },
    create_draft: { ...letter, scheduled_at: soon },
    send_draft: { draft_id: ids.draft },
    list_inboxes: {},
    create_inbox: { username: 'another' },
    search_messages: { query: 'plan' },
    get_message: { message_id: ids.message },
    list_threads: {},
    get_thread: { thread_id: ids.thread },
    list_drafts: {},
    list_address_rules: {},
    add_address_rule: { kind: 'block', direction: 'inbound', pattern: 'spam.example' },
    delete_address_rule: { rule_id: ids.rule },
    add_domain: { hostname: 'more.example.com' },
    get_domain: { domain_id: ids.domain },
    list_webhooks: {},
    create_webhook: { url: 'https://agent.example.com/more', events: ['message.received'] },
    delete_webhook: { webhook_id: unused.webhook },
    delete_inbox: { inbox_id: unused.inbox },
  };
};

describe.each(['never', 'approve'] as const)('where people set %s', (mode) => {
  it('no tool, prompt or resource has mail leave', async () => {
    const { server, sink } = running;
    const owner = await server.workspace();
    const { ids } = await fillWorkspace(server, owner);
    await owner.client.drafts.update(ids.draft, { subject: 'Hello' });
    const unused = { inbox: (await server.inbox(owner)).id, webhook: ids.webhook };
    // The connection was made while all was allowed, so that the host still knows the tools.
    const host = await connectHere(owner);
    const place = { workspaceId: owner.id, level: 'workspace', subjectId: owner.id } as const;
    await setPolicy(server.server.deps, place, { send: mode }, operator);
    const before = sink.contents.length;
    const args = makeArguments(ids, unused);
    expect(Object.keys(args).sort()).toEqual([...toolNames].sort());
    for (const [tool, given] of Object.entries(args)) {
      const answer = await host.call(tool, given as Record<string, unknown>).catch((error: Error) => error);
      if (tool === 'create_draft') expect(answer).toMatchObject({ isError: false });
      if (!sending.includes(tool)) continue;
      if (mode === 'approve')
        expect([tool, (answer as { text: string }).text]).toEqual([tool, expect.stringContaining('held')]);
      else expect([tool, answer instanceof Error || answer.isError]).toEqual([tool, true]);
    }
    for (const { name } of (await host.client.listPrompts()).prompts)
      await host.client.getPrompt({ name, arguments: {} }).catch(() => {});
    for (const { uri } of (await host.client.listResources()).resources)
      await host.client.readResource({ uri }).catch(() => {});
    await eventually('the scheduled draft', async () => {
      const { drafts } = await owner.client.drafts.list({ status: 'scheduled' });
      return drafts.length === 0;
    });
    expect(sink.contents.length - before).toBe(0);
    await host.close();
  });
});
