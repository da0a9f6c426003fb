import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHere, type Host } from './connect.ts';

let server: TestServer;
let host: Host;
let own: Inbox;
let other: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  [own, other] = [await server.inbox(), await server.inbox()];
  host = await connectHere(server);
});
afterAll(async () => {
  await host?.close();
  await server?.stop();
});

const plain = (text: string) => text.replace(/<\/?untrusted-[0-9a-f]{8}>/g, '');
const sentBy = async ({ id }: Inbox) =>
  (await server.client.messages.list({ inbox_id: id, direction: 'outbound', limit: 100 })).messages;
const mailTo = async (inbox: Inbox, subject: string, more: object = {}) => {
  await sendMail(server.smtpPort, {
    from: 'Ada <ada@remote.example>',
    to: inbox.address,
    subject,
    text: 'Where is my order?',
    envelope: { from: 'ada@remote.example', to: inbox.address },
    ...more,
  });
  await server.filed();
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id, subject });
  return messages[0]!;
};

describe('send_message', () => {
  it('says whom it went to, hidden copies too, and who was left out', async () => {
    await server.client.suppressions.create({ address: 'gone@remote.example' });
    const { data } = await host.call('send_message', {
      inbox_id: own.id,
      to: ['Bob <bob@remote.example>', 'gone@remote.example'],
      bcc: ['hidden@remote.example'],
      subject: 'News',
      text: 'Hello',
    });
    expect(data).toMatchObject({ outcome: 'sent', status: expect.any(String) });
    expect([data.to, data.bcc].map(plain)).toEqual(['bob@remote.example', 'hidden@remote.example']);
    expect(data.dropped).toMatchObject([{ reason: 'suppressed' }]);
    expect(plain(data.dropped[0].address)).toBe('gone@remote.example');
  });

  it('sends once if it is called twice, also by a new process, and again with a client_id', async () => {
    const inbox = await server.inbox();
    const args = { inbox_id: inbox.id, to: ['bob@remote.example'], subject: 'Once', text: 'Only once' };
    const first = await host.call('send_message', args);
    const again = await connectHere(server);
    const second = await again.call('send_message', args);
    await again.close();
    expect(second.data).toMatchObject({ outcome: 'already_sent', message_id: first.data.message_id });
    expect(second.data.note).toContain('client_id');
    expect(await sentBy(inbox)).toHaveLength(1);
    const third = await host.call('send_message', { ...args, client_id: 'on purpose' });
    expect(third.data.outcome).toBe('sent');
    expect(await sentBy(inbox)).toHaveLength(2);
  });

  it('takes an inbox by its address', async () => {
    const { data } = await host.call('send_message', {
      inbox_id: own.address,
      to: 'bob@remote.example',
      subject: 'By address',
      text: 'Hi',
    });
    expect(data.outcome).toBe('sent');
  });

  it('sends texts, content and files of received mail', async () => {
    const received = await mailTo(own, 'With a file', {
      attachments: [{ filename: 'a.pdf', content: 'PDF' }],
    });
    const { data } = await host.call('send_message', {
      inbox_id: own.id,
      to: ['bob@remote.example'],
      subject: 'Files',
      text: 'Here',
      attachments: [
        { filename: 'a.txt', text: 'grüß' },
        { filename: 'b.bin', content_base64: 'AAEC' },
        { attachment_id: received.attachments[0]!.id },
      ],
    });
    const { attachments } = await server.client.messages.get(data.message_id);
    expect(attachments.map(({ filename, size_bytes }) => [filename, size_bytes])).toEqual([
      ['a.txt', 6],
      ['b.bin', 3],
      ['a.pdf', 3],
    ]);
  });

  it.each([
    ['no source', { filename: 'a.txt' }],
    ['two sources', { filename: 'a.txt', text: 'a', content_base64: 'AAEC' }],
    ['content without a name', { text: 'a' }],
    ['a path without a folder', { path: 'a.txt' }],
  ])('refuses a file with %s and sends nothing', async (_, file) => {
    const inbox = await server.inbox();
    const args = {
      inbox_id: inbox.id,
      to: ['bob@remote.example'],
      subject: 'x',
      text: 'x',
      attachments: [file],
    };
    const answer = await host.call('send_message', args);
    expect(answer).toMatchObject({ isError: true, data: { error: 'invalid_request' } });
    expect(answer.data.message).toContain('attachments.0');
    expect(await sentBy(inbox)).toHaveLength(0);
  });

  it('reads files of the shared folder only, whatever a path or a link says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-shared-'));
    await writeFile(join(folder, 'report.txt'), 'fine');
    await mkdir(join(folder, 'sub'));
    await symlink('/etc/passwd', join(folder, 'sub', 'link.txt'));
    const here = await connectHere(server, { attachments: folder });
    const send = (path: string) =>
      here.call('send_message', {
        inbox_id: own.id,
        to: ['bob@remote.example'],
        subject: `File ${path}`,
        text: 'x',
        attachments: [{ path }],
      });
    expect((await send('report.txt')).data.outcome).toBe('sent');
    for (const path of ['../x', '/etc/passwd', 'sub/link.txt', 'sub', '.', 'none.txt'])
      expect(await send(path), path).toMatchObject({ isError: true, data: { error: 'invalid_request' } });
    await here.close();
  });
});

describe('reply_to_message and forward_message', () => {
  it('answer and pass on a mail once', async () => {
    const mail = await mailTo(own, 'Order 17');
    const reply = { message_id: mail.id, text: 'It is on its way.' };
    const first = await host.call('reply_to_message', reply);
    expect(plain(first.data.to)).toBe('ada@remote.example');
    expect(first.data.thread_id).toBe(mail.thread_id);
    expect((await host.call('reply_to_message', reply)).data.outcome).toBe('already_sent');
    const forward = await host.call('forward_message', {
      message_id: mail.id,
      to: ['boss@remote.example'],
      text: 'Please',
    });
    expect(plain(forward.data.to)).toBe('boss@remote.example');
  });
});

describe('ids', () => {
  it('with a typo are not guessed by a tool that writes', async () => {
    const mail = await mailTo(own, 'Typo');
    const wrong = mail.id.slice(0, -1) + (mail.id.endsWith('2') ? '3' : '2');
    const answer = await host.call('reply_to_message', { message_id: wrong, text: 'Hi' });
    expect(answer).toMatchObject({ isError: true, data: { error: 'not_found', did_you_mean: [mail.id] } });
    expect(answer.data.next).toContain('Did you mean');
  });

  it('with a typo or a beginning are found by a tool that reads, which says so', async () => {
    const mail = await mailTo(own, 'Beginning');
    for (const given of [mail.id.slice(0, -2), mail.id.slice(0, 28)]) {
      const { data } = await host.call('get_message', { message_id: given });
      expect(data.message_id).toBe(mail.id);
      expect(data.note).toContain(mail.id);
    }
  });

  it('of nothing are an error that says where to get one', async () => {
    const answer = await host.call('get_thread', { thread_id: 'thr_nothing' });
    expect(answer).toMatchObject({
      isError: true,
      data: { error: 'not_found', next: 'Get the id from list_threads.' },
    });
  });

  it('of another workspace are not found', async () => {
    const stranger = await server.workspace();
    const theirs = await server.inbox(stranger);
    const answer = await host.call('send_message', {
      inbox_id: theirs.id,
      to: 'a@remote.example',
      subject: 'x',
      text: 'x',
    });
    expect(answer).toMatchObject({ isError: true, data: { error: 'not_found' } });
  });
});

describe('drafts-only', () => {
  it('makes drafts of sends, replies and forwards, and sends nothing', async () => {
    const inbox = await server.inbox();
    const mail = await mailTo(inbox, 'Question', {
      attachments: [{ filename: 'plan.txt', content: 'plan' }],
    });
    const careful = await connectHere(server, { draftsOnly: true });
    const answers = [
      await careful.call('send_message', {
        inbox_id: inbox.id,
        to: ['bob@remote.example'],
        subject: 'New',
        text: 'Hi',
      }),
      await careful.call('reply_to_message', { message_id: mail.id, text: 'Answer' }),
      await careful.call('forward_message', {
        message_id: mail.id,
        to: ['boss@remote.example'],
        text: 'See below',
      }),
    ];
    await careful.close();
    for (const { data } of answers) expect(data).toMatchObject({ outcome: 'drafted', status: 'draft' });
    expect(await sentBy(inbox)).toHaveLength(0);
    const { drafts } = await server.client.drafts.list({ inbox_id: inbox.id });
    expect(drafts.map(({ to }) => to)).toEqual([
      ['boss@remote.example'],
      ['ada@remote.example'],
      ['bob@remote.example'],
    ]);
    expect(drafts[0]).toMatchObject({ subject: 'Fwd: Question', attachments: [{ filename: 'plan.txt' }] });
    expect(drafts[0]!.text).toMatch(
      /See below[\s\S]*From: Ada <ada@remote.example>[\s\S]*Where is my order\?/,
    );
    expect(drafts[1]).toMatchObject({ reply_to_message_id: mail.id, text: 'Answer' });
  });
});

describe('allow-recipient', () => {
  it('sends to allowed addresses and domains and to nobody else, by any tool', async () => {
    const inbox = await server.inbox();
    const mail = await mailTo(inbox, 'From Ada');
    const draft = await server.client.drafts.create({
      inbox_id: inbox.id,
      to: ['eve@evil.test'],
      subject: 'x',
      text: 'x',
    });
    const strict = await connectHere(server, { recipients: ['boss@remote.example', 'partner.example'] });
    const send = (to: string[], more: object = {}) =>
      strict.call('send_message', { inbox_id: inbox.id, to, subject: to.join(), text: 'x', ...more });
    const refused = { isError: true, data: { error: 'recipient_not_allowed' } };
    expect((await send(['Boss <boss@remote.example>', 'any@partner.example'])).data.outcome).toBe('sent');
    expect(await send(['eve@evil.test'])).toMatchObject(refused);
    expect(await send(['boss@remote.example'], { bcc: ['eve@evil.test'] })).toMatchObject(refused);
    expect(await send(['x@sub.partner.example'])).toMatchObject(refused);
    expect(await strict.call('reply_to_message', { message_id: mail.id, text: 'x' })).toMatchObject(refused);
    expect(
      await strict.call('forward_message', { message_id: mail.id, to: ['eve@evil.test'] }),
    ).toMatchObject(refused);
    expect(await strict.call('send_draft', { draft_id: draft.id })).toMatchObject(refused);
    const later = { scheduled_at: new Date(Date.now() + 60_000).toISOString() };
    const made = await strict.call('create_draft', {
      inbox_id: inbox.id,
      to: ['boss@remote.example'],
      subject: 'x',
      ...later,
    });
    expect(made.data.scheduled_at).toBeNull();
    await strict.close();
    expect(await sentBy(inbox)).toHaveLength(1);
  });
});

describe('inbox', () => {
  it('is the only one that there is', async () => {
    const mail = await mailTo(other, 'Secret');
    const mine = await mailTo(own, 'Mine', { attachments: [{ filename: 'mine.txt', content: 'x' }] });
    const limited = await connectHere(server, { inboxes: [own.address] });
    const missing = { isError: true, data: { error: 'not_found' } };
    expect(
      (await limited.call('list_inboxes')).data.inboxes.map((one: { inbox_id: string }) => one.inbox_id),
    ).toEqual([own.id]);
    expect(await limited.call('get_message', { message_id: mail.id })).toMatchObject(missing);
    expect(await limited.call('get_thread', { thread_id: mail.thread_id })).toMatchObject(missing);
    expect(await limited.call('reply_to_message', { message_id: mail.id, text: 'x' })).toMatchObject(missing);
    expect(
      await limited.call('forward_message', { message_id: mail.id, to: ['a@remote.example'] }),
    ).toMatchObject(missing);
    expect(
      await limited.call('send_message', {
        inbox_id: other.id,
        to: 'a@remote.example',
        subject: 'x',
        text: 'x',
      }),
    ).toMatchObject(missing);
    expect(await limited.call('search_messages', { inbox_id: other.address })).toMatchObject(missing);
    expect(await limited.call('search_messages', { after: mail.id })).toMatchObject(missing);
    const { data } = await limited.call('search_messages', { query: 'order' });
    expect(new Set(data.messages.map((one: { inbox_id: string }) => one.inbox_id))).toEqual(
      new Set([own.id]),
    );
    expect(
      (await limited.call('search_messages', { thread_id: mail.thread_id })).data.messages ?? [],
    ).toEqual([]);
    const stolen = [{ attachment_id: mine.attachments[0]!.id }];
    const send = (attachments: object[]) =>
      limited.call('send_message', {
        inbox_id: own.id,
        to: 'a@remote.example',
        subject: 'f',
        text: 'x',
        attachments,
      });
    expect(await send(stolen)).toMatchObject({ isError: true });
    expect((await send([{ ...stolen[0], message_id: mine.id }])).data.outcome).toBe('sent');
    expect(await send([{ ...stolen[0], message_id: mail.id }])).toMatchObject(missing);
    await limited.close();
  });
});
