/* Labels that are assigned while something else happens to their messages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tally } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { findOrphans, findTraces } from '@postrider/testkit/mail/inbox-traces.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { deliverMail } from '@postrider/testkit/mail/thread-mail.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Label, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const rounds = 8;
let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const label = () => server.client.labels.create({ name: server.freshName('label') });
const assign = ({ id }: Label, message: Message) =>
  server.client.labels.assign(id, { message_id: message.id });
/** Some of something, made one beside the other. */
const several = <T>(length: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length }, (_, index) => make(index)));

test('Interface 3 Thread: labels that are assigned while threads become one are all there, and so is the mail', async () => {
  const inbox = await server.inbox();
  const labels = await several(4, label);
  for (let round = 0; round < rounds; round++) {
    const late = server.freshName('late');
    const messages = [
      await receiveMessage(server, { inbox, inReplyTo: late }),
      await receiveMessage(server, { inbox, inReplyTo: late }),
    ];
    const assigning = tally(labels.flatMap((each) => messages.map((message) => assign(each, message))));
    const arriving = deliverMail(server, inbox.address, { id: late });
    expect(await assigning).toEqual({ done: 2 * labels.length });
    await arriving;
    const thread = await server.client.threads.get(messages[0]?.thread_id ?? '');
    expect([thread.message_count, thread.labels.length]).toEqual([3, labels.length]);
    const found = await server.client.threads.list({ inbox_id: inbox.id, label_id: labels[0]?.id ?? '' });
    expect(found.threads).toHaveLength(round + 1);
  }
});

test('States Label DELETE /labels/{id}: of assignments that race the deletion nothing stays behind', async () => {
  const messages = await several(5, () => receiveMessage(server));
  const labels = await several(rounds, label);
  for (const one of labels) {
    const racing = tally(Array.from({ length: 20 }, (_, i) => assign(one, messages[i % 5]!)));
    await sleep(Math.random() * 20);
    await server.client.labels.delete(one.id);
    const { done: _, not_found: __, ...failed } = await racing;
    expect(failed).toEqual({});
  }
  for (const { id } of labels)
    await eventually('the label to be taken off', async () => {
      const rows = await server.rows(
        'select from message_labels where label_id = $1 union all select from thread_labels where label_id = $1',
        [id],
      );
      return rows.length === 0;
    });
});

test('Interface 3 Inbox: of labels that are assigned while the inbox is deleted nothing stays behind', async () => {
  const inboxes = await several(rounds, () => server.inbox());
  const labels = await several(10, label);
  for (const inbox of inboxes) {
    const message = await receiveMessage(server, { inbox });
    const racing = tally(labels.map((each) => assign(each, message)));
    await sleep(Math.random() * 20);
    await server.client.inboxes.delete(inbox.id);
    const { done: _, not_found: __, ...failed } = await racing;
    expect(failed).toEqual({});
  }
  for (const { id } of inboxes) {
    const traces = () => findTraces(server, { workspaceId: server.id, id });
    await eventually('the inbox to be removed', async () => Object.keys(await traces()).length === 0);
  }
  expect(await findOrphans(server)).toEqual({});
});
