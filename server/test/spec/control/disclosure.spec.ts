/* Interface 11: a workspace may tell recipients that an AI wrote what its keys send. */
import type { Disclosure } from '@postrider/contract';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { simpleParser } from 'mailparser';
import type { Draft } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setDisclosure } from '../../../src/policies/set-policy.ts';

let desk: ServerWithSink;
let inboxId: string;

beforeAll(async () => {
  desk = await startServerWithSink();
  inboxId = (await desk.server.client.inboxes.create({ local_part: 'agent' })).id;
});
afterAll(() => desk.stop());

const set = async (disclosure: Disclosure) => {
  const [workspace] = await desk.server.rows<{ id: string }>('select id from workspaces where name = $1', [
    desk.server.name,
  ]);
  await setDisclosure(desk.server.server.deps, workspace!.id, disclosure, operator);
};

const sendAs = async (disclosure: Disclosure, to: string) => {
  await set(disclosure);
  const { messages } = desk.server.client;
  const sent = await messages.send({
    inbox_id: inboxId,
    to,
    subject: 'Your order',
    text: 'It has shipped.',
    html: '<p>It has shipped.</p>',
    headers: { 'X-Ai-Generated': 'false' },
  });
  const [mail] = desk.sink.copiesFor(to);
  return { message: await messages.get(sent.id), mail: await simpleParser(mail?.raw ?? '') };
};

test('Interface 11 Disclosure: none leaves a message as it was written', async () => {
  const { message, mail } = await sendAs('none', 'none@remote.example');
  expect(message.body_text).toBe('It has shipped.');
  expect(mail.headers.get('x-ai-generated')).toBe('false');
});

test('Interface 11 Disclosure: the header says it, whatever the key says', async () => {
  const { message, mail } = await sendAs('header', 'header@remote.example');
  expect(mail.headers.get('x-ai-generated')).toBe('true');
  expect(message.body_text).toBe('It has shipped.');
});

test('Interface 11 Disclosure: the footer is one line under the text and the HTML, also in the stored message', async () => {
  const { message, mail } = await sendAs('footer', 'footer@remote.example');
  expect(mail.text?.trim()).toBe('It has shipped.\n\nThis message was written by an AI.');
  expect(mail.html).toMatch(/<p[^>]+>This message was written by an AI\.<\/p>/);
  expect(message.body_text).toBe('It has shipped.\n\nThis message was written by an AI.\n');
  expect(message.body_html).toMatch(/<p[^>]+>This message was written by an AI\.<\/p>/);
});

test('Interface 11 Disclosure: messages that a key wrote have it, and those that a person wrote do not, whoever sends it', async () => {
  await set('header');
  const { drafts } = desk.server.client;
  const person = await signedIn(desk.server, 'owner');
  const write = (to: string) =>
    drafts.create({ inbox_id: inboxId, to: [to], subject: 'Hello', text: 'Hello' });
  const rewrite = async ({ id, updated_at }: Draft) => {
    const body = { text: 'Written by a person', seen_updated_at: updated_at };
    expect((await person.request(`/v1/drafts/${id}`, { method: 'PATCH', body })).status).toBe(200);
  };
  const sendAsPerson = async ({ id }: Draft) => {
    const sent = await person.request(`/v1/drafts/${id}/send`, { method: 'POST', body: {} });
    expect(sent.status).toBe(201);
  };
  const headerFor = async (to: string) =>
    (await simpleParser(desk.sink.copiesFor(to)[0]?.raw ?? '')).headers.get('x-ai-generated');

  await sendAsPerson(await write('by-key@remote.example'));
  expect(await headerFor('by-key@remote.example')).toBe('true');
  const rewritten = await write('rewritten@remote.example');
  await rewrite(rewritten);
  await sendAsPerson(rewritten);
  expect(desk.sink.copiesFor('rewritten@remote.example')).toHaveLength(1);
  expect(await headerFor('rewritten@remote.example')).toBeUndefined();
  const byPerson = await write('by-person@remote.example');
  await rewrite(byPerson);
  await drafts.send(byPerson.id);
  expect(desk.sink.copiesFor('by-person@remote.example')).toHaveLength(1);
  expect(await headerFor('by-person@remote.example')).toBeUndefined();
});
