import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHere } from './connect.ts';
import { makeDesk } from './desk.ts';

let server: TestServer;
let own: Inbox;
let other: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  [own, other] = [await server.inbox(), await server.inbox()];
});
afterAll(() => server?.stop());

const { sentBy, mailTo } = makeDesk(() => server);

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

describe('a reply to all as a draft', () => {
  it('has the others of the mail, and the copies that were asked for', async () => {
    const inbox = await server.inbox();
    const mail = await mailTo(inbox, 'To all', { cc: 'boss@remote.example' });
    const careful = await connectHere(server, { draftsOnly: true });
    const args = { message_id: mail.id, text: 'x', reply_all: true, cc: ['new@remote.example'] };
    const { data } = await careful.call('reply_to_message', args);
    const draft = await server.client.drafts.get(data.draft_id);
    expect([draft.to, draft.cc]).toEqual([
      ['ada@remote.example'],
      ['boss@remote.example', 'new@remote.example'],
    ]);
    await careful.close();
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
    expect(made.data).not.toHaveProperty('scheduled_at');
    await strict.close();
    expect(await sentBy(inbox)).toHaveLength(1);
  });
});

describe('allow-recipient, against those who try', () => {
  const refused = { isError: true, data: { error: 'recipient_not_allowed' } };

  it('is not passed by a draft that answers somebody', async () => {
    const inbox = await server.inbox();
    const mail = await mailTo(inbox, 'Answer me');
    const strict = await connectHere(server, { recipients: ['boss@remote.example'] });
    const args = { inbox_id: inbox.id, reply_to_message_id: mail.id, text: 'x' };
    expect(await strict.call('create_draft', args)).toMatchObject(refused);
    expect(await strict.call('create_draft', { ...args, to: [] })).toMatchObject(refused);
    expect((await server.client.drafts.list({ inbox_id: inbox.id })).drafts).toEqual([]);
    const own = await server.client.drafts.create({
      inbox_id: inbox.id,
      reply_to_message_id: mail.id,
      to: [],
      text: 'x',
    });
    expect(await strict.call('send_draft', { draft_id: own.id })).toMatchObject({ isError: true });
    expect(await sentBy(inbox)).toEqual([]);
    await strict.close();
  });

  it('is not passed by a Reply-To that nobody can send to', async () => {
    const inbox = await server.inbox();
    const raw = [
      'From: eve@evil.test',
      'Reply-To: a..b@boss.example',
      `To: ${inbox.address}`,
      'Subject: Odd',
      '',
      'Answer me.',
    ].join('\r\n');
    const mail = await mailTo(inbox, 'Odd', { raw, from: undefined });
    const strict = await connectHere(server, { recipients: ['boss.example'] });
    expect(await strict.call('reply_to_message', { message_id: mail.id, text: 'x' })).toMatchObject(refused);
    await strict.close();
    expect(await sentBy(inbox)).toEqual([]);
  });

  it('leaves no draft behind when a call is cancelled', async () => {
    const inbox = await server.inbox();
    const mail = await mailTo(inbox, 'Cancelled');
    const strict = await connectHere(server, { recipients: ['boss@remote.example'] });
    let cancelled = 0;
    for (let ms = 0; ms < 30; ms += 1) {
      const signal = AbortSignal.timeout(ms);
      const args = { message_id: mail.id, text: `x ${ms}` };
      await strict.client
        .callTool({ name: 'reply_to_message', arguments: args }, { signal })
        .catch(() => (cancelled += 1));
    }
    await strict.close();
    expect(cancelled).toBeGreaterThan(0);
    await expect
      .poll(async () => (await server.client.drafts.list({ inbox_id: inbox.id })).drafts)
      .toEqual([]);
    expect(await sentBy(inbox)).toEqual([]);
  });

  it('lets a reply to all leave out the inbox itself', async () => {
    const inbox = await server.inbox();
    const mail = await mailTo(inbox, 'All', { cc: 'boss@remote.example' });
    const strict = await connectHere(server, { recipients: ['remote.example'] });
    const { data } = await strict.call('reply_to_message', {
      message_id: mail.id,
      text: 'x',
      reply_all: true,
    });
    expect(data.outcome).toBe('sent');
    expect((await server.client.drafts.list({ inbox_id: inbox.id })).drafts).toEqual([]);
    await strict.close();
  });
});

describe('tools', () => {
  it('do not send by a time if they do not send', async () => {
    const writing = await connectHere(server, { tools: ['create_draft'] });
    const scheduled_at = new Date(Date.now() - 60_000).toISOString();
    const args = { inbox_id: own.id, to: 'eve@evil.test', subject: 'x', text: 'x', scheduled_at };
    const { data } = await writing.call('create_draft', args);
    expect(data).toMatchObject({ status: 'draft', note: expect.stringContaining('not scheduled') });
    await writing.close();
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
    await server.indexed();
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
