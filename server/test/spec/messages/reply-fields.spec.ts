import { limits } from '@postrider/contract';
import { invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

/** A mail from Ada to the inbox and to Bob, with Carol in Cc. */
const conversation = async () => {
  const inbox = await server.inbox();
  await sendLines(server.smtpPort, { from: 'ada@remote.example', to: inbox.address }, [
    'From: Ada <ada@remote.example>',
    `To: ${inbox.address}, bob@remote.example`,
    'Cc: carol@remote.example',
    'Subject: The plan',
    '',
    'Is it sound?',
  ]);
  await server.filed();
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  if (!messages[0]) throw new Error('The mail did not arrive.');
  return { inbox, message: messages[0] };
};

test('Interface 4 Send: to, cc and bcc take one address as well as a list', async () => {
  const inbox = await server.inbox();
  const { messages, drafts } = server.client;
  const one = { to: 'Ada <ada@remote.example>', cc: 'bob@remote.example', bcc: 'carol@remote.example' };
  const lists = {
    to_addrs: ['ada@remote.example'],
    cc_addrs: ['bob@remote.example'],
    bcc_addrs: ['carol@remote.example'],
  };
  const sent = await messages.send({ inbox_id: inbox.id, subject: 'x', text: 'x', ...one });
  expect(await messages.get(sent.id)).toMatchObject(lists);
  expect(await messages.forward(sent.id, one)).toMatchObject(lists);
  expect(await drafts.create({ inbox_id: inbox.id, ...one })).toMatchObject({
    to: [one.to],
    cc: [one.cc],
    bcc: [one.bcc],
  });
  expect(await messages.check({ inbox_id: inbox.id, subject: 'x', to: 'ada@remote.example' })).toEqual({
    deliverable: ['ada@remote.example'],
    dropped: [],
    send: 'allow',
  });
  for (const to of ['', 'nobody', 'a@b.example, c@d.example'])
    expect([to, await invalidFields(messages.send({ inbox_id: inbox.id, subject: 'x', to }))]).toEqual([
      to,
      ['to.0'],
    ]);
});

test('Interface 4 Reply: cc, bcc, reply_to, headers and metadata, beside the recipients that it has by itself', async () => {
  const { message } = await conversation();
  const reply = await server.client.messages.reply(message.id, {
    text: 'It is.',
    cc: ['boss@remote.example', 'ada@remote.example'],
    bcc: 'archive@remote.example',
    reply_to: 'desk@remote.example',
    headers: { 'X-Case': '17' },
    metadata: { case: '17' },
  });
  expect(reply).toMatchObject({
    to_addrs: ['ada@remote.example'],
    cc_addrs: ['boss@remote.example'],
    bcc_addrs: ['archive@remote.example'],
    reply_to_addrs: ['desk@remote.example'],
    metadata: { case: '17' },
  });
  const raw = await (await fetch((await server.client.messages.raw(reply.id)).url)).text();
  expect(raw).toMatch(/^X-Case: 17\r$/m);
  expect(raw).not.toContain('archive@');
});

test('Interface 4 Reply: with reply_all the others get it too, each once, and at most 50 in all', async () => {
  const { inbox, message } = await conversation();
  const reply = (input: object) => server.client.messages.reply(message.id, { text: 'It is.', ...input });
  const cc = ['bob@remote.example', 'dave@remote.example'];
  expect((await reply({ reply_all: true, cc })).cc_addrs).toEqual([
    'bob@remote.example',
    'carol@remote.example',
    'dave@remote.example',
  ]);
  const many = Array.from({ length: limits.recipientsMax }, (_, i) => `r${i}@remote.example`);
  expect(await invalidFields(reply({ cc: many }))).toEqual(['cc']);
  expect((await reply({ cc: many.slice(1) })).cc_addrs).toHaveLength(49);
  expect(await invalidFields(reply({ cc: [...many, 'one@remote.example'] }))).toEqual(['cc']);
  expect(await invalidFields(reply({ headers: { Subject: 'x' } }))).toEqual(['headers.Subject']);
  expect((await reply({ cc: inbox.address })).cc_addrs).toEqual([inbox.address]);
});

test('Interface 3 Draft: a reply shows whom it goes to and its subject, filled in from the original by the rules of a reply', async () => {
  const { inbox, message } = await conversation();
  const { drafts } = server.client;
  const reply = { inbox_id: inbox.id, reply_to_message_id: message.id };
  const plain = await drafts.create(reply);
  expect(plain).toMatchObject({ to: ['ada@remote.example'], cc: [], subject: 'Re: The plan' });
  const all = await drafts.create({ ...reply, reply_all: true });
  expect(all).toMatchObject({
    to: ['ada@remote.example'],
    cc: ['bob@remote.example', 'carol@remote.example'],
  });
  const own = { to: 'boss@remote.example', cc: [], subject: 'Mine' };
  expect(await drafts.create({ ...reply, ...own, reply_all: true })).toMatchObject({ ...own, to: [own.to] });
  const sent = await drafts.send(all.id);
  expect(await server.client.messages.get(sent.id)).toMatchObject({
    to_addrs: all.to,
    cc_addrs: all.cc,
    subject: all.subject,
    thread_id: message.thread_id,
    in_reply_to: message.message_id,
  });
});

test('Interface 3 Draft: what a draft has stays when it becomes a reply, and the rest is filled in', async () => {
  const { inbox, message } = await conversation();
  const { drafts } = server.client;
  const draft = await drafts.create({ inbox_id: inbox.id, subject: 'Mine' });
  const changed = await drafts.update(draft.id, { reply_to_message_id: message.id, reply_all: true });
  expect(changed).toMatchObject({
    to: ['ada@remote.example'],
    cc: ['bob@remote.example', 'carol@remote.example'],
    subject: 'Mine',
  });
  expect((await drafts.update(draft.id, { text: 'Yes.' })).to).toEqual(['ada@remote.example']);
  const elsewhere = await receiveMessage(server);
  const error = drafts.update(draft.id, { reply_to_message_id: elsewhere.id });
  await expect(error).rejects.toMatchObject({ code: 'not_found', param: 'reply_to_message_id' });
});

test('Interface 20 Draft: a reply without recipients is a 400 when it is sent, by hand and at its time', async () => {
  const { inbox, message } = await conversation();
  const { drafts } = server.client;
  const reply = { inbox_id: inbox.id, reply_to_message_id: message.id, text: 'Yes.' };
  const emptied = await drafts.create({ ...reply, reply_all: true });
  expect(await drafts.update(emptied.id, { to: [] })).toMatchObject({
    to: [],
    cc: [expect.anything(), expect.anything()],
  });
  const empty = await drafts.create({ ...reply, to: [] });
  for (const { id } of [emptied, empty]) {
    expect(await invalidFields(drafts.send(id))).toEqual(['to']);
    await drafts.update(id, { scheduled_at: new Date(Date.now() - 1_000).toISOString() });
    await eventually('the draft to fail', async () => (await drafts.get(id)).status === 'failed');
    expect((await drafts.get(id)).failure).toBe('invalid_request');
  }
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  expect(messages.map(({ direction }) => direction)).toEqual(['inbound']);
});

test('Interface 20 Draft: a reply goes to those whom it shows, also without copies, and its subject is always shown', async () => {
  const { inbox, message } = await conversation();
  const { drafts, messages } = server.client;
  const all = await drafts.create({
    inbox_id: inbox.id,
    reply_to_message_id: message.id,
    reply_all: true,
    bcc: 'boss@remote.example',
    subject: 'Mine',
  });
  const shown = await drafts.update(all.id, { cc: [], bcc: [], subject: null });
  expect(shown).toMatchObject({ to: ['ada@remote.example'], cc: [], bcc: [], subject: 'Re: The plan' });
  const { id } = await drafts.send(all.id);
  expect(await messages.get(id)).toMatchObject({
    to_addrs: ['ada@remote.example'],
    cc_addrs: [],
    bcc_addrs: [],
    subject: 'Re: The plan',
  });
  const apart = await drafts.create({ inbox_id: inbox.id, reply_to_message_id: message.id });
  const plain = await drafts.update(apart.id, { reply_to_message_id: null, subject: null });
  expect(plain.subject).toBeNull();
  expect(await invalidFields(drafts.send(apart.id))).toEqual(['subject']);
});
