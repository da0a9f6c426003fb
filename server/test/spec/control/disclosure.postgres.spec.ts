/* Interface 11: a workspace may tell recipients that an AI wrote what its keys send. */
import type { Disclosure } from '@postrider/contract';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setDisclosure } from '../../../src/policies/set-disclosure.ts';

let desk: ServerWithSink;
let inboxId: string;

beforeAll(async () => {
  desk = await startServerWithSink();
  inboxId = (await desk.server.client.inboxes.create({ local_part: 'agent' })).id;
});
afterAll(() => desk.stop());

const sendAs = async (disclosure: Disclosure, to: string) => {
  const [workspace] = await desk.server.rows<{ id: string }>('select id from workspaces where name = $1', [
    desk.server.name,
  ]);
  await setDisclosure(desk.server.server.deps, workspace!.id, disclosure, operator);
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
  expect(mail.html).toContain('<p>This message was written by an AI.</p>');
  expect(message.body_text).toBe('It has shipped.\n\nThis message was written by an AI.\n');
  expect(message.body_html).toContain('<p>This message was written by an AI.</p>');
});
