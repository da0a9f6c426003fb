import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { receiveUnread } from '@postrider/testkit/servers/receive-unread.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import type { Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { startSequencer } from '../events/write-log.ts';
import { startIndexer } from '../search/index/indexer.ts';
import { startWebhookSender } from '../webhooks/posting/webhook-sender.ts';
import { startParsingAgain } from './parse-again.ts';

/** A server with all that follows the storing of mail, except that mail is parsed again only once a test starts that. */
let server: TestServer;
let deps: Deps;
let receiver: WebhookReceiver;
let stops: (() => Promise<unknown>)[];

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  deps = server.server.deps;
  const stopSender = startWebhookSender(deps);
  receiver = await startWebhookReceiver();
  stops = [startSequencer(deps), startIndexer(deps), () => stopSender(1_000)];
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await receiver.close();
  await server.stop();
});

/** Runs `work` while mail is parsed again. */
const parsingAgain = async (work: () => Promise<void>) => {
  const stop = startParsingAgain(deps);
  await work().finally(stop);
};

test('events, searches and waits have a mail with its header first, and with its text and files once it was read', async () => {
  const inbox = await makeTakingInbox(server);
  const { client } = server;
  const { inboxId: inbox_id } = inbox;
  await client.webhooks.create({ url: receiver.url, events: ['message.received', 'message.updated'] });
  const start = (await client.events.list({ after: 'latest' })).next_cursor ?? undefined;
  // From before the mail on, however long their first requests take.
  const after = new Date(deps.clock.now().getTime() - 60_000);
  const code = client.messages.waitForCode({ inbox_id, after, timeout: 300_000 });
  const mail = client.messages.waitFor({ inbox_id, after, has_attachment: true, timeout: 300_000 });
  const id = await receiveUnread(server, inbox, 'Sign in', 'Your saffron code is 482913.');
  const [first] = await eventually('the first event', async () => {
    const { events } = await client.events.list({ after: start, inbox_id });
    return events.length > 0 && events;
  });
  expect(first).toMatchObject({
    event: 'message.received',
    message: { id, snippet: '', body_text: null, attachments: [], truncated: ['body_text', 'attachments'] },
  });
  await eventually('the first post', async () => receiver.requests.length === 1);
  const { url } = await client.messages.raw(id);
  expect(await (await fetch(url)).text()).toContain('482913');
  const found = client.messages.list({ inbox_id, query: 'saffron', wait_seconds: 60 });
  await parsingAgain(async () => {
    expect((await code).code).toBe('482913');
    expect((await mail).attachments.map(({ filename }) => filename)).toEqual(['plan.txt']);
    expect((await found).messages.map((message) => message.id)).toEqual([id]);
  });
  const { events } = await client.events.list({ after: start, inbox_id });
  expect(events.map(({ event }) => event)).toEqual(['message.received', 'message.updated']);
  expect(events[1]).toMatchObject({
    changed: ['body_text', 'attachments', 'extracted_text', 'snippet'],
    message: { id, body_text: 'Your saffron code is 482913.', truncated: [] },
  });
  await eventually('both posts', async () => receiver.requests.length === 2);
  const texts = receiver.requests.map(({ event }) => [event.event, (event.message as Message).body_text]);
  expect(texts.sort()).toEqual([
    ['message.received', null],
    ['message.updated', 'Your saffron code is 482913.'],
  ]);
  const { thread_id } = await client.messages.get(id);
  expect((await client.threads.get(thread_id)).messages[0]?.attachments).toHaveLength(1);
});
