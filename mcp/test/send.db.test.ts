import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { type Inbox, Postrider } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../server/src/keys/manage-keys.ts';
import { connectHere, type Host } from './connect.ts';
import { makeDesk, plain } from './desk.ts';

let server: TestServer;
let host: Host;
let own: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  own = await server.inbox();
  host = await connectHere(server);
});
afterAll(async () => {
  await host?.close();
  await server?.stop();
});

const { sentBy, mailTo } = makeDesk(() => server);

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

  it('sends again what another key has sent', async () => {
    const inbox = await server.inbox();
    const args = { inbox_id: inbox.id, to: 'bob@remote.example', subject: 'Twice', text: 'From two agents' };
    const { key } = await createKey(server.server.deps, server.name, 'another agent');
    const other = await connectHere({
      key,
      client: new Postrider({ apiKey: key, baseURL: `${server.url}/v1` }),
    });
    const answers = [await host.call('send_message', args), await other.call('send_message', args)];
    expect((await other.call('send_message', args)).data.outcome).toBe('already_sent');
    await other.close();
    expect(answers.map(({ data }) => data.outcome)).toEqual(['sent', 'sent']);
    expect(await sentBy(inbox)).toHaveLength(2);
  });

  it('takes arguments as hosts send them: lists and numbers as text, several addresses in one text, null', async () => {
    const inbox = await server.inbox();
    const files = JSON.stringify([{ filename: 'a.json', text: '{"a": 1}' }]);
    const { data } = await host.call('send_message', {
      inbox_id: inbox.id,
      to: 'Ada <ada@remote.example>, bob@remote.example',
      cc: '["eve@remote.example"]',
      bcc: null,
      subject: '["2026"]',
      text: '0',
      attachments: files,
      client_id: null,
    });
    const sent = await server.client.messages.get(data.message_id);
    expect(sent).toMatchObject({
      to_addrs: ['ada@remote.example', 'bob@remote.example'],
      cc_addrs: ['eve@remote.example'],
      subject: '["2026"]',
      body_text: '0',
      attachments: [{ filename: 'a.json' }],
    });
    const listed = await host.call('search_messages', { inbox_id: inbox.id, limit: '1', read: 'true' });
    expect(listed.data.messages).toHaveLength(1);
    const wrong = await host.call('search_messages', { limit: 'many' });
    expect(wrong).toMatchObject({ isError: true, data: { issues: [{ path: 'limit' }] } });
  });

  it('sends different mails that have the same client_id', async () => {
    const inbox = await server.inbox();
    const send = (subject: string, client_id: string) =>
      host.call('send_message', {
        inbox_id: inbox.id,
        to: 'bob@remote.example',
        subject,
        text: 'x',
        client_id,
      });
    const answers = [
      await send('One', '1'),
      await send('Two', '1'),
      await send('Two', '1'),
      await send('Two', '2'),
    ];
    expect(answers.map(({ data }) => data.outcome)).toEqual(['sent', 'sent', 'already_sent', 'sent']);
    expect((await sentBy(inbox)).map(({ subject }) => subject)).toEqual(['Two', 'Two', 'One']);
  });

  it('knows the same mail by the address of its inbox, and with empty lists', async () => {
    const inbox = await server.inbox();
    const args = { to: ['bob@remote.example'], subject: 'Same', text: 'x' };
    await host.call('send_message', { inbox_id: inbox.id, ...args });
    const again = await host.call('send_message', {
      inbox_id: inbox.address,
      ...args,
      cc: [],
      attachments: [],
    });
    expect(again.data.outcome).toBe('already_sent');
    const withFile = { inbox_id: inbox.id, ...args, attachments: [{ filename: 'a.txt', text: 'x' }] };
    expect((await host.call('send_message', withFile)).data.outcome).toBe('sent');
  });

  it('leaves the text of a file as it is', async () => {
    const attachments = [{ filename: 'a.yaml', text: '  a: 1\n' }];
    const args = { inbox_id: own.id, to: 'bob@remote.example', subject: 'Indented', text: 'x', attachments };
    const { data } = await host.call('send_message', args);
    const [file] = (await server.client.messages.get(data.message_id)).attachments;
    expect(Buffer.from(await server.client.attachments.download(file!)).toString()).toBe('  a: 1\n');
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

  it('reads no more files than a mail may have', async () => {
    const received = await mailTo(own, 'Large', {
      attachments: [{ filename: 'a.bin', content: Buffer.alloc(3_000_000) }],
    });
    const inbox = await server.inbox();
    const file = { attachment_id: received.attachments[0]!.id };
    const attachments = Array.from({ length: 100 }, () => file);
    const args = { inbox_id: inbox.id, to: 'bob@remote.example', subject: 'x', text: 'x', attachments };
    const answer = await host.call('send_message', args);
    expect(answer).toMatchObject({ isError: true, data: { error: 'attachment_too_large' } });
    expect(answer.data.message).toContain('attachments.2');
  });

  it('names a file that is not there, and no inbox', async () => {
    const attachments = [{ attachment_id: 'att_none' }];
    const args = { inbox_id: own.id, to: 'bob@remote.example', subject: 'x', text: 'x', attachments };
    const answer = await host.call('send_message', args);
    expect(answer.data).toMatchObject({
      error: 'invalid_request',
      message: expect.stringContaining('attachments.0.attachment_id'),
    });
    expect(answer.data).not.toHaveProperty('did_you_mean');
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

describe('a limit of the plan', () => {
  it('is told with the plan and what a person has to do', async () => {
    const free = await server.workspace({ plan: 'free' });
    const limited = await connectHere({ ...server, ...free });
    const create = () => limited.call('create_inbox', { local_part: server.freshName() });
    let answer = await create();
    for (let made = 1; made < 10 && !answer.isError; made += 1) answer = await create();
    expect(answer).toMatchObject({
      isError: true,
      data: {
        error: 'inbox_limit_reached',
        plan: 'free',
        upgrade: true,
        next: expect.stringContaining('plan'),
      },
    });
    await limited.close();
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
