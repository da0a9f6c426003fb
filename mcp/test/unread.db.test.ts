import { receiveUnread } from '@postrider/testkit/servers/receive-unread.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectHere, type Host } from './connect.ts';

/** A server that does not read again what it was too busy for. */
let server: TestServer;
let host: Host;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  host = await connectHere(server);
});
afterAll(async () => {
  await host?.close();
  await server?.stop();
});

it('says of a mail that the server has not read that text and files are missing, and forwards no half of it', async () => {
  const inbox = await makeTakingInbox(server);
  const message_id = await receiveUnread(server, inbox, 'The plan', 'Please sign by noon.');
  const { data } = await host.call('get_message', { message_id });
  expect(data.left_out).toMatch(/^The text and the files: the server was too busy to read this mail/);
  expect(data).not.toHaveProperty('attachments');
  expect(JSON.stringify(data)).not.toContain('noon');
  const listed = (await host.call('get_thread', { thread_id: data.thread_id })).data;
  expect(JSON.stringify(listed)).toContain('too busy to read');
  const drafting = await connectHere(server, { draftsOnly: true });
  const forward = { message_id, to: ['bob@remote.example'], text: 'See below.' };
  const refused = await drafting.call('forward_message', forward);
  await drafting.close();
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('the server has not read this mail yet');
  expect((await server.client.drafts.list()).drafts).toEqual([]);
  // The server reads it for a forward, ahead of others.
  const sent = (await host.call('forward_message', forward)).data;
  const { body_text, attachments } = await server.client.messages.get(sent.message_id);
  expect(body_text).toContain('Please sign by noon.');
  expect(attachments.map(({ filename }) => filename)).toEqual(['plan.txt']);
});
