import type { Changes } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
const open = new Set<AbortController>();

beforeAll(async () => {
  server = await joinTestServer();
});
afterEach(() => {
  for (const stream of open) stream.abort();
  open.clear();
});
afterAll(() => server.stop());

/** Follows the stream as a page does. */
const follow = async ({ cookie }: Pick<ConsoleBrowser, 'cookie'>, workspace = server.id) => {
  const ended = new AbortController();
  open.add(ended);
  const path = `/console/api/changes?workspace=${workspace}`;
  const response = await fetch(server.url + path, { headers: { cookie }, signal: ended.signal });
  const stream = { status: response.status, response, text: '', isOver: false };
  const read = async () => {
    for await (const part of response.body ?? []) stream.text += Buffer.from(part).toString();
    stream.isOver = true;
  };
  if (response.ok) void read().catch(() => {});
  return stream;
};
const changesIn = (text: string) =>
  [...text.matchAll(/^event: changes\ndata: (.*)$/gm)].flatMap(
    ([, data = '']) => (JSON.parse(data) as Changes).changes,
  );

describe('the stream of changes', () => {
  test('tells an open page of new mail within a second, and not of what was before', async () => {
    const inbox = await server.inbox();
    const send = (subject: string) =>
      sendMail(server.smtpPort, { from: 'ada@remote.example', to: inbox.address, subject });
    await send('Before');
    await eventually('the event to be in the log', async () => {
      const { events } = await server.client.events.list({ inbox_id: inbox.id });
      return events.length === 1;
    });
    const stream = await follow(await signedIn(server, 'member'));
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await send('Now');
    await eventually('the change to arrive', async () => changesIn(stream.text).length > 0, { pauseMs: 5 });
    const [message] = (await server.client.messages.list({ inbox_id: inbox.id })).messages;
    expect(changesIn(stream.text)).toEqual([
      expect.objectContaining({
        event: 'message.received',
        inbox_id: inbox.id,
        thread_id: message?.thread_id,
        message_id: message?.id,
      }),
    ]);
    expect(stream.text).not.toContain('Now');
  });

  test('is that of one workspace, for people who are in it', async () => {
    const theirs = await server.workspace();
    const stranger = await signedIn(server, 'owner', theirs);
    const [own, foreign] = [await follow(stranger, theirs.id), await follow(stranger)];
    expect([own.status, foreign.status]).toEqual([200, 404]);
    const inbox = await server.inbox();
    await sendMail(server.smtpPort, { from: 'ada@remote.example', to: inbox.address });
    const ours = await follow(await signedIn(server));
    await sendMail(server.smtpPort, { from: 'ada@remote.example', to: inbox.address });
    await eventually('the change to arrive', async () => changesIn(ours.text).length > 0);
    expect(changesIn(own.text)).toEqual([]);
    expect((await follow({ cookie: 'x=1' })).status).toBe(401);
  });

  const endings: [string, (person: ConsoleBrowser & { person: TestPerson }) => Promise<unknown>][] = [
    ['signs out', (person) => person.request('/session', { method: 'DELETE' })],
    [
      'is taken out of the workspace',
      async ({ person }) => (await signedIn(server)).request(`/members/${person.id}`, { method: 'DELETE' }),
    ],
    [
      'gets another role',
      async ({ person }) =>
        (await signedIn(server)).request(`/members/${person.id}`, {
          method: 'PATCH',
          body: { role: 'owner' },
        }),
    ],
  ];
  test.each(endings)('ends at once when the person %s', async (_, end) => {
    const person = await signedIn(server, 'member');
    const stream = await follow(person);
    await end(person);
    await eventually('the stream to end', async () => stream.isOver);
    expect(stream.text).toMatch(/event: ended\ndata: \{\}\n\n$/);
  });

  test('is open for sixty pages of a person at most', async () => {
    const person = await signedIn(server);
    const streams = await Promise.all(Array.from({ length: 61 }, () => follow(person)));
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(streams.filter(({ status }) => status === 409)).toHaveLength(1);
  });
});
