import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const labelsNamed = async (name: string) => (await server.client.labels.list({ name })).labels;
const namesOn = async (id: string) => (await server.client.messages.get(id)).labels.map(({ name }) => name);
const rounds = Array.from({ length: 15 }, (_, round) => round);

test('Interface 4 PATCH /messages/{id}: a name that several requests put on at once is the label of the first of them', async () => {
  const inbox = await server.inbox();
  const mails = await Promise.all([1, 2, 3, 4].map(() => receiveMessage(server, { inbox })));
  for (const round of rounds) {
    const name = server.freshName(`at-once-${round}`);
    const answers = await Promise.all([
      ...mails.map(({ id }) =>
        server.client.messages.update(id, { add_labels: [name.toUpperCase(), 'shared'] }),
      ),
      ...mails.map(({ id }) => server.client.messages.update(id, { add_labels: [name], read: true })),
    ]);
    const made = await labelsNamed(name);
    expect(made).toHaveLength(1);
    for (const { labels } of answers) expect(labels.map(({ id }) => id)).toContain(made[0]?.id);
  }
});

test('Interface 4 PATCH /messages/{id}: a label that is deleted while it is put on is gone, or made again for the message', async () => {
  const { id } = await receiveMessage(server);
  for (const round of rounds) {
    const name = server.freshName(`deleted-${round}`);
    const { id: old } = await server.client.labels.create({ name });
    const [answer] = await Promise.all([
      server.client.messages.update(id, { add_labels: [name] }),
      server.client.labels.delete(old),
    ]);
    const left = await labelsNamed(name);
    expect(left.map((label) => label.id)).not.toContain(old);
    expect((await namesOn(id)).includes(name)).toBe(left.length === 1);
    // Without it, the label was deleted after it was put on, and before the message was read for the answer or after.
    if (left.length === 1) expect(answer.labels.map((label) => label.id)).toContain(left[0]?.id);
    await server.client.messages.update(id, { remove_labels: [name] });
  }
});

test('Message POST /labels/{id}/assign: of a label that is deleted at the same time either finds it or is a 404', async () => {
  const { id: message_id } = await receiveMessage(server);
  for (const round of rounds) {
    const { id, name } = await server.client.labels.create({ name: server.freshName(`assigned-${round}`) });
    const [assigned, deleted] = await Promise.allSettled([
      server.client.labels.assign(id, { message_id }),
      server.client.labels.delete(id),
    ]);
    expect(deleted.status).toBe('fulfilled');
    if (assigned.status === 'rejected') expect(assigned.reason).toMatchObject({ status: 404, param: 'id' });
    expect(await namesOn(message_id)).not.toContain(name);
  }
});
