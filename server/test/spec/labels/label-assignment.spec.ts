import { limits } from '@postrider/contract';
import { catchApiError, tally } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { readMailId, receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { deliverMail } from '@postrider/testkit/mail/thread-mail.ts';
import { byWakeups } from '@postrider/testkit/servers/by-wakeups.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Label, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';

let server: TestServer;
let spare: Label;

beforeAll(async () => {
  server = await joinTestServer();
  spare = await label('Spare');
});
afterAll(() => server.stop());

const label = (name = server.freshName('label')) => server.client.labels.create({ name });
const assign = ({ id }: Label, message: Message) =>
  server.client.labels.assign(id, { message_id: message.id });
const unassign = ({ id }: Label, message: Message) =>
  server.client.labels.unassign(id, { message_id: message.id });
const namesOn = ({ labels }: Pick<Message, 'labels'>) => labels.map((each) => each.name);
const applied = ({ id, name, color }: Label) => ({ id, name, color });

const received = (mail: Parameters<typeof receiveMessage>[1] = {}) => receiveMessage(server, mail);

/** Resolves once no message bears the label any more. */
const takenOff = ({ id }: Label) =>
  eventually('the label to be taken off', async () => {
    const rows = await server.rows(
      'select from message_labels where label_id = $1 union all select from thread_labels where label_id = $1',
      [id],
    );
    return rows.length === 0;
  });

test('Labels POST /labels/{id}/assign, States Message POST /labels/{id}/assign, Message labels: answers the message with all its labels', async () => {
  const message = await received({ text: 'x'.repeat(70_000) });
  const [urgent, billing, late] = [await label('urgent'), await label('Billing'), await label('late')];
  expect(namesOn(await assign(urgent, message))).toEqual(['urgent']);
  expect(namesOn(await assign(billing, message))).toEqual(['Billing', 'urgent']);
  const answer = await assign(late, message);
  expect(answer.labels).toEqual([billing, late, urgent].map(applied));
  const read = await server.client.messages.get(message.id);
  expect(answer).toEqual(read);
  expect([answer.body_truncated, answer.body_text?.length]).toEqual([false, 70_001]);
  const { messages } = await server.client.messages.list({ inbox_id: message.inbox_id });
  expect(messages.map((each) => each.labels)).toEqual([answer.labels]);
});

test('Labels POST /labels/{id}/unassign, States Message POST /labels/{id}/unassign: answers the message with those that remain', async () => {
  const [message, other] = [await received(), await received()];
  const [one, two] = [await label(), await label()];
  for (const each of [one, two]) for (const to of [message, other]) await assign(each, to);
  expect(namesOn(await unassign(one, message))).toEqual([two.name]);
  expect(namesOn(await unassign(two, message))).toEqual([]);
  expect((await server.client.messages.get(other.id)).labels).toHaveLength(2);
});

test('Interface 3 Label: assigning twice, and taking off what is not on, changes nothing and is answered with 200', async () => {
  const message = await received();
  const one = await label();
  const body = { message_id: message.id };
  for (const [verb, names] of [
    ['unassign', []],
    ['assign', [one.name]],
    ['assign', [one.name]],
    ['unassign', []],
    ['unassign', []],
  ] as const) {
    const answer = await server.request(`/v1/labels/${one.id}/${verb}`, { method: 'POST', body });
    expect([answer.status, namesOn(answer.body as unknown as Message)]).toEqual([200, names]);
  }
  const twenty = (verb: typeof assign) => tally(Array.from({ length: 20 }, () => verb(one, message)));
  expect(await twenty(assign)).toEqual({ done: 20 });
  const rows = await server.rows('select request_id, actor_id from message_labels where label_id = $1', [
    one.id,
  ]);
  expect(rows).toEqual([{ request_id: expect.stringMatching(/^req_/), actor_id: server.keyId }]);
  expect(await twenty(unassign)).toEqual({ done: 20 });
  expect((await server.client.messages.get(message.id)).labels).toEqual([]);
});

test('Interface 7: a message has 50 labels, exactly, also when many are assigned at once', async () => {
  const message = await received();
  const limit = limits.labelsPerMessageMax;
  const all = await Promise.all(Array.from({ length: limit + 15 }, () => label()));
  for (const each of all.slice(0, limit - 5)) await assign(each, message);
  const atOnce = await tally(all.slice(limit - 5).map((each) => assign(each, message)));
  expect(atOnce).toEqual({ done: 5, limit_reached: 15 });
  expect((await server.client.messages.get(message.id)).labels).toHaveLength(limit);
  await catchApiError(assign(spare, message), 'limit_reached', { limit });
  const [first, second] = all as [Label, Label];
  expect((await assign(first, message)).labels).toHaveLength(limit);
  await unassign(first, message);
  expect((await assign(spare, message)).labels).toHaveLength(limit);
  await server.client.labels.delete(second.id);
  expect((await assign(first, message)).labels).toHaveLength(limit);
  await catchApiError(assign(await label(), message), 'limit_reached', { limit });
});

test('Interface 4 wait_seconds: a label that is assigned answers who waits for messages with it', async () => {
  const message = await received();
  const one = await label();
  await byWakeups(server, async () => {
    const answer = server.client.messages.list({ label_id: one.id, wait_seconds: 60 });
    await eventually(
      'the request to wait',
      async () => waitingRequests(server.server.deps).countOf(server.id) === 1,
    );
    await assign(one, message);
    expect((await answer).messages.map((each) => each.id)).toEqual([message.id]);
  });
});

test('Thread labels, Interface 3 Thread: the labels of a thread are those of its messages, each once, by name', async () => {
  const inbox = await server.inbox();
  const parent = await received({ inbox });
  const reply = await received({ inbox, inReplyTo: readMailId(parent) });
  expect(reply.thread_id).toBe(parent.thread_id);
  const apart = await received({ inbox });
  const [alpha, Bravo] = [await label(server.freshName('alpha')), await label(server.freshName('Bravo'))];
  await assign(Bravo, parent);
  await assign(alpha, reply);
  await assign(Bravo, reply);
  const labelsOf = async (filter: { label_id?: string } = {}) => {
    const { threads } = await server.client.threads.list({ inbox_id: inbox.id, ...filter });
    return threads.map((thread) => [thread.id, namesOn(thread)]);
  };
  const both = [parent.thread_id, [alpha.name, Bravo.name]];
  expect(await labelsOf()).toEqual([[apart.thread_id, []], both]);
  expect(await labelsOf({ label_id: alpha.id })).toEqual([both]);
  expect((await server.client.threads.get(parent.thread_id)).labels).toEqual([alpha, Bravo].map(applied));
  await unassign(Bravo, parent);
  expect(await labelsOf({ label_id: Bravo.id })).toEqual([both]);
  await unassign(Bravo, reply);
  expect(await labelsOf({ label_id: Bravo.id })).toEqual([]);
  expect(await labelsOf({ label_id: alpha.id })).toEqual([[parent.thread_id, [alpha.name]]]);
});

test('Interface 3 Thread: a thread that another one becomes part of brings its labels along', async () => {
  const inbox = await server.inbox();
  const late = server.freshName('late');
  const [first, second] = [
    await received({ inbox, inReplyTo: late }),
    await received({ inbox, inReplyTo: late }),
  ];
  const [one, two] = [await label(server.freshName('m1')), await label(server.freshName('m2'))];
  await assign(one, first);
  await assign(two, second);
  await deliverMail(server, inbox.address, { id: late });
  const { threads } = await server.client.threads.list({ label_id: two.id });
  expect(threads.map(namesOn)).toEqual([[one.name, two.name]]);
  expect((await server.client.threads.get(second.thread_id)).labels).toEqual([one, two].map(applied));
});

test('States Label DELETE /labels/{id}, Labels DELETE /labels/{id}: the label is gone from every answer at once', async () => {
  const message = await received();
  const [gone, kept] = [await label(), await label()];
  for (const each of [gone, kept]) await assign(each, message);
  await byWakeups(server, async () => {
    const waits = catchApiError(
      Promise.resolve(server.client.messages.list({ label_id: gone.id, subject: 'other', wait_seconds: 60 })),
      'not_found',
    );
    await eventually(
      'the request to wait',
      async () => waitingRequests(server.server.deps).countOf(server.id) === 1,
    );
    await server.client.labels.delete(gone.id);
    await waits;
  });
  const { messages, threads, labels } = server.client;
  for (const { labels: left } of [
    await messages.get(message.id),
    await threads.get(message.thread_id),
    ...(await messages.list({ inbox_id: message.inbox_id })).messages,
    ...(await threads.list({ inbox_id: message.inbox_id })).threads,
    await assign(kept, message),
  ])
    expect(left).toEqual([applied(kept)]);
  for (const filter of [{ label_id: gone.id }, { label_id: gone.id, inbox_id: message.inbox_id }]) {
    await catchApiError(Promise.resolve(messages.list(filter)), 'not_found');
    await catchApiError(Promise.resolve(threads.list(filter)), 'not_found');
  }
  for (const call of [assign, unassign]) await catchApiError(call(gone, message), 'not_found');
  await labels.create({ name: gone.name });
  expect(namesOn(await messages.get(message.id))).toEqual([kept.name]);
  await takenOff(gone);
});

test('Conventions 5, Labels POST /labels/{id}/assign: a label or message of another workspace, or of a deleted inbox, is not found', async () => {
  const { client } = await server.workspace();
  const foreign = await client.labels.create({ name: 'Spare' });
  const inbox = await server.inbox();
  const [message, live] = [await received({ inbox }), await received()];
  for (const each of [message, live]) await assign(spare, each);
  for (const call of [assign, unassign]) await catchApiError(call(foreign, message), 'not_found');
  for (const verb of ['assign', 'unassign'] as const) {
    await catchApiError(client.labels[verb](foreign.id, { message_id: message.id }), 'not_found');
    await catchApiError(client.labels[verb](spare.id, { message_id: message.id }), 'not_found');
    for (const message_id of ['', 'x', 'msg_\u0000', spare.id])
      await catchApiError(server.client.labels[verb](spare.id, { message_id }), 'not_found');
  }
  expect(namesOn(await server.client.messages.get(message.id))).toEqual([spare.name]);
  await server.client.inboxes.delete(inbox.id);
  for (const call of [assign, unassign]) await catchApiError(call(spare, message), 'not_found');
  const shown = await server.client.messages.list({ label_id: spare.id, limit: 100 });
  expect(shown.messages.map((each) => each.id)).not.toContain(message.id);
  expect(shown.messages.map((each) => each.id)).toContain(live.id);
  const { threads } = await server.client.threads.list({ label_id: spare.id, limit: 100 });
  expect(threads.map((each) => each.id)).not.toContain(message.thread_id);
});
