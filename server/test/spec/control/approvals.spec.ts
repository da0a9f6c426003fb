/* Interface 11: what a key may only propose is held with its bytes, and people see exactly what would go out before they decide. */
import { createHash } from 'node:crypto';
import type { Approval, ApprovalSummary } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let relayed: ServerWithSink;
let server: ServerWithSink['server'];
let owner: ConsoleBrowser;
let inbox: Inbox;

beforeAll(async () => {
  relayed = await startServerWithSink();
  server = relayed.server;
  owner = await signedIn(server);
  const place = { workspaceId: server.id, level: 'key', subjectId: server.keyId } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
});
afterAll(() => relayed.stop());
beforeEach(async () => {
  inbox = await server.inbox();
});

const hold = (more: object = {}) =>
  server.client.messages.send({
    inbox_id: inbox.id,
    to: ['ada@remote.example'],
    subject: 'The offer',
    text: 'Here it is.',
    ...more,
  });
const show = async (id: string) => (await owner.request(`/approvals/${id}`)).body as unknown as Approval;

test('Interface 11 Approval: people see what would go out, to whom, and with which files', async () => {
  const content = Buffer.from('a plan');
  const { id } = await hold({
    cc: ['Bob <bob@remote.example>'],
    bcc: ['eve@other.example'],
    headers: { 'X-Order': 'Größe 7' },
    attachments: [{ filename: 'plan.txt', content_type: 'text/plain', content }],
  });
  const shown = await show(id);
  expect(shown).toMatchObject({
    message_id: id,
    state: 'held',
    inbox_address: inbox.address,
    to: ['ada@remote.example'],
    cc: ['bob@remote.example'],
    bcc: ['eve@other.example'],
    attachments: 1,
    attachment_hashes: [createHash('sha256').update(content).digest('hex')],
    key: { id: server.keyId, name: 'test' },
    decided_by: null,
    answers: null,
    message: { delivery_status: 'held', body_text: 'Here it is.', attachments: [{ filename: 'plan.txt' }] },
  });
  expect(shown.headers).toContainEqual({ name: 'x-order', value: 'Größe 7' });
  const raw = await (await fetch(shown.raw.url)).text();
  expect(raw).toContain('filename=plan.txt');
  expect(raw.length).toBe(shown.raw.size_bytes);

  const { body } = await owner.request(`/approvals?state=held&inbox_id=${inbox.id}`);
  const [row, ...others] = body.approvals as ApprovalSummary[];
  expect(others).toEqual([]);
  expect(shown).toMatchObject({ ...row });
  expect((await owner.request(`/approvals?state=approved&inbox_id=${inbox.id}`)).body.approvals).toEqual([]);
});

test('Interface 11 Approval: who a recipient provably is comes from mail that the inbox received', async () => {
  await sendMail(server.smtpPort, {
    from: 'Ada <ada@remote.example>',
    to: inbox.address,
    replyTo: 'mallory@evil.example',
    subject: 'A question',
    text: 'What does it cost?',
  });
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  const asked = messages[0]!;
  const { id } = await server.client.messages.reply(asked.id, {
    text: 'Ten.',
    cc: ['ada@remote.example', 'stranger@new.example'],
  });
  const shown = await show(id);
  expect(shown.answers).toMatchObject({ id: asked.id, from_addr: 'ada@remote.example' });
  expect(shown.correspondents).toEqual([
    expect.objectContaining({
      address: 'mallory@evil.example',
      wrote_before: false,
      is_new: true,
      reply_to_of: 'ada@remote.example',
    }),
    {
      address: 'ada@remote.example',
      wrote_before: true,
      // The test's mail passes no DMARC.
      proven: false,
      verified_domain: null,
      last_wrote_at: asked.created_at,
      is_new: false,
      reply_to_of: null,
    },
    expect.objectContaining({ address: 'stranger@new.example', wrote_before: false, is_new: true }),
  ]);
});
