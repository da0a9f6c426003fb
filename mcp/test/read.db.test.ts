import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHere, type Host } from './connect.ts';
import { plain } from './desk.ts';

let server: TestServer;
let host: Host;

beforeAll(async () => {
  server = await joinTestServer();
  host = await connectHere(server);
});
afterAll(async () => {
  await host?.close();
  await server?.stop();
});

let count = 0;
const mail = (inbox: Inbox, subject: string, text: string, more: object = {}) =>
  sendMail(server.smtpPort, {
    from: 'Ada <ada@remote.example>',
    to: inbox.address,
    subject,
    text,
    messageId: `<m${++count}@remote.example>`,
    envelope: { from: 'ada@remote.example', to: inbox.address },
    ...more,
  });
const newest = async ({ id }: Inbox) =>
  (await server.client.messages.list({ inbox_id: id, limit: 1 })).messages[0]!;

describe('get_message', () => {
  it('shows what is new, who the sender is, and whether they wrote before', async () => {
    const inbox = await server.inbox();
    const text = 'New words.\n\nOn Monday, Bob <bob@remote.example> wrote:\n> Old words.\n';
    await mail(inbox, 'First', text, {
      html: '<p>New <b>words</b>.</p>',
      inReplyTo: '<earlier@remote.example>',
    });
    await server.filed();
    const first = (await host.call('get_message', { message_id: (await newest(inbox)).id })).data;
    expect(plain(first.text)).toBe('New words.');
    expect(plain(first.from)).toBe('Ada <ada@remote.example>');
    expect(first.sender).toEqual({
      verified_domain: null,
      dmarc: expect.any(String),
      automatic: false,
      seen_before: false,
    });
    expect(JSON.stringify(first)).not.toContain('<b>');
    const whole = (await host.call('get_message', { message_id: first.message_id, with_quotes: true })).data;
    expect(plain(whole.text)).toContain('Old words.');
    await mail(inbox, 'Second', 'Again');
    await server.filed();
    const second = (await host.call('get_message', { message_id: (await newest(inbox)).id })).data;
    expect(second.sender.seen_before).toBe(true);
  });

  it('shows the text of a mail that has HTML alone', async () => {
    const inbox = await server.inbox();
    const html = '<html><body><h1>Welcome</h1><p>Your code is <b>482913</b>.</p></body></html>';
    await mail(inbox, 'Only HTML', '', { text: undefined, html });
    await server.filed();
    const { data } = await host.call('get_message', { message_id: (await newest(inbox)).id });
    expect(plain(data.text)).toContain('Your code is 482913.');
    expect(data.text).not.toContain('<p>');
    expect(data.code).toBe('482913');
  });

  it('gives a long text in parts that are the whole of it', async () => {
    const inbox = await server.inbox();
    const words = Array.from({ length: 6_000 }, (_, at) => `word${at}`).join(' ');
    await mail(inbox, 'Long', words);
    await server.filed();
    const { id } = await newest(inbox);
    const parts: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { data } = await host.call('get_message', { message_id: id, cursor });
      expect(data.text.length).toBeLessThan(12_100);
      parts.push(plain(data.text));
      cursor = data.cursor;
      if (cursor === undefined) break;
      expect(data.left_out).toMatch(/^\d+ characters follow$/);
    }
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.join(' ').replace(/\s+/g, ' ')).toBe(words);
  });

  it('takes a cursor for the same mail and the same arguments only', async () => {
    const inbox = await server.inbox();
    await mail(inbox, 'One', 'a '.repeat(10_000));
    await mail(inbox, 'Two', 'b '.repeat(10_000));
    await server.filed();
    const [two, one] = (await server.client.messages.list({ inbox_id: inbox.id })).messages;
    const { data } = await host.call('get_message', { message_id: one!.id });
    const refused = { isError: true, data: { error: 'invalid_request' } };
    expect(await host.call('get_message', { message_id: two!.id, cursor: data.cursor })).toMatchObject(
      refused,
    );
    expect(
      await host.call('get_message', { message_id: one!.id, with_quotes: true, cursor: data.cursor }),
    ).toMatchObject(refused);
    for (const cursor of ['', 'x', `${data.cursor.slice(0, -2)}AA`, 'eyJmcm9tIjowfQ'])
      expect(await host.call('get_message', { message_id: one!.id, cursor })).toMatchObject(refused);
    const other = await connectHere({ ...server, key: 'another secret' });
    expect(await other.call('get_message', { message_id: one!.id, cursor: data.cursor })).toMatchObject(
      refused,
    );
    await other.close();
  });

  it('has codes and sign-in links as fields, and reads texts of files', async () => {
    const inbox = await server.inbox();
    const text =
      'Your code is 482913.\n\nOr sign in: https://shop.example/login/confirm?token=a1b2c3d4e5f6a7b8c9\n';
    await mail(inbox, 'Sign in', text, {
      attachments: [
        { filename: 'notes.csv', content: 'a;b\n1;2' },
        { filename: 'photo.png', content: Buffer.from('89504e47', 'hex') },
      ],
    });
    await server.filed();
    const { id } = await newest(inbox);
    const { data } = await host.call('get_message', { message_id: id });
    expect(data.code).toBe('482913');
    expect(plain(data.sign_in_link)).toBe('https://shop.example/login/confirm?token=a1b2c3d4e5f6a7b8c9');
    const [notes, photo] = data.attachments;
    expect(await (await fetch(notes.url)).text()).toBe('a;b\n1;2');
    const read = (attachment_id: string) => host.call('get_message', { message_id: id, attachment_id });
    expect(plain((await read(notes.attachment_id)).data.text)).toBe('a;b\n1;2');
    expect(await read(photo.attachment_id)).toMatchObject({
      isError: true,
      data: { error: 'unsupported_file' },
    });
    expect(await read('att_none')).toMatchObject({ isError: true, data: { error: 'not_found' } });
  });
});

describe('a sign-in link whose text shows another host', () => {
  it('is withheld, and the tool says so, from a sender who is not proven for what is shown', async () => {
    const inbox = await server.inbox();
    const url = 'https://evil.example/login?token=a1b2c3d4e5f6a7b8c9';
    await mail(inbox, 'Sign in', 'Please see the HTML.', {
      html: `<p>Please <a href="${url}">https://bank.example/login</a></p>`,
    });
    await server.filed();
    const { id } = await newest(inbox);
    for (const { data } of [
      await host.call('get_message', { message_id: id }),
      { data: (await host.call('search_messages', { inbox_id: inbox.id })).data.messages[0] },
    ]) {
      expect(data.sign_in_link).toBeUndefined();
      expect(plain(data.link_withheld)).toMatch(
        /its text shows bank\.example, but it leads to evil\.example/,
      );
      expect(JSON.stringify(data)).not.toContain('a1b2c3d4e5f6a7b8c9');
    }
  });
});

describe('get_thread', () => {
  it('gives 300 messages, newest first, in answers of at most 40,000 characters', async () => {
    const inbox = await server.inbox();
    const root = '<root@remote.example>';
    await mail(inbox, 'Long thread', 'The first', { messageId: root });
    for (let at = 1; at < 300; at += 1)
      await mail(inbox, 'Re: Long thread', `Message ${at}. ${'Some words. '.repeat(at % 40)}`, {
        references: [root],
        inReplyTo: root,
      });
    await server.filed();
    const { thread_id } = await newest(inbox);
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const { data, text } = await host.call('get_thread', { thread_id, cursor });
      expect(text.length).toBeLessThanOrEqual(40_000);
      if (pages === 0) expect(data.thread.message_count).toBe(300);
      seen.push(...data.messages.map((one: { message_id: string }) => one.message_id));
      pages += 1;
      cursor = data.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    const all: string[] = [];
    for await (const { id } of server.client.messages.list({ thread_id, limit: 100 })) all.push(id);
    expect(seen).toEqual(all);
    expect(pages).toBeGreaterThan(3);
  });
});

describe('search_messages', () => {
  it('waits for a reply, and tells the client that it does', async () => {
    const inbox = await server.inbox();
    await mail(inbox, 'Before', 'Old');
    await server.filed();
    const last = await newest(inbox);
    const steps: number[] = [];
    const waiting = host.client.callTool(
      { name: 'search_messages', arguments: { inbox_id: inbox.id, after: last.id, wait_seconds: 55 } },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    await eventually('the wait to be told of', async () => steps.includes(0));
    await mail(inbox, 'After', 'New');
    const { structuredContent } = (await waiting) as {
      structuredContent: { messages: { subject: string }[] };
    };
    expect(structuredContent.messages.map(({ subject }) => plain(subject))).toEqual(['After']);
  });

  it('answers nothing when nothing comes, and stops when the client cancels', async () => {
    const inbox = await server.inbox();
    const { data } = await host.call('search_messages', { inbox_id: inbox.id, wait_seconds: 1 });
    expect(data).toMatchObject({ messages: [] });
    expect(data).not.toHaveProperty('next_cursor');
    const abort = new AbortController();
    const waiting = host.client.callTool(
      { name: 'search_messages', arguments: { inbox_id: inbox.id, wait_seconds: 55 } },
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 100);
    await expect(waiting).rejects.toThrow();
  });

  it('gives every message once over its pages, within the size of an answer', async () => {
    const inbox = await server.inbox();
    for (let at = 0; at < 60; at += 1)
      await mail(inbox, `Mail ${at}`, `Text ${at} ${'of some length '.repeat(100)}`);
    await server.filed();
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const args = { inbox_id: inbox.id, max_chars: 2_000, limit: 40, cursor };
      const { data, text } = await host.call('search_messages', args);
      expect(text.length).toBeLessThanOrEqual(41_000);
      seen.push(...data.messages.map((one: { message_id: string }) => one.message_id));
      cursor = data.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    expect(new Set(seen).size).toBe(60);
    expect(seen).toHaveLength(60);
  });

  it('loses and repeats nothing when mail comes or is read between two pages', async () => {
    const inbox = await server.inbox();
    for (let at = 0; at < 12; at += 1)
      await mail(inbox, `Mail ${at}`, `Text ${at} ${'of some length '.repeat(600)}`);
    await server.filed();
    const first = await newest(inbox);
    const args = { inbox_id: inbox.id, read: false, max_chars: 9_000, limit: 12 };
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { data } = await host.call('search_messages', { ...args, cursor, ...(cursor && { limit: 3 }) });
      seen.push(...data.messages.map((one: { message_id: string }) => one.message_id));
      for (const id of seen) await server.client.messages.update(id, { read: true });
      await mail(inbox, 'Late', 'Late');
      await server.filed();
      cursor = data.next_cursor;
      if (cursor === undefined) break;
    }
    const old = [];
    for await (const { id } of server.client.messages.list({ inbox_id: inbox.id }))
      if (id <= first.id) old.push(id);
    expect(seen.filter((id) => id <= first.id)).toEqual(old);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('shows some of very many addresses and files', async () => {
    const inbox = await server.inbox();
    const to = Array.from({ length: 1_500 }, (_, at) => `somebody-with-a-long-name-${at}@remote.example`);
    const attachments = Array.from({ length: 90 }, (_, at) => ({
      filename: `${'n'.repeat(230)}${at}.txt`,
      content: 'x',
    }));
    await mail(inbox, 's'.repeat(1_900), 'Short', { to: [inbox.address, ...to], attachments });
    await server.filed();
    const { id } = await newest(inbox);
    for (const [tool, args] of [
      ['get_message', { message_id: id }],
      ['search_messages', { inbox_id: inbox.id }],
      ['list_threads', { inbox_id: inbox.id }],
    ] as const) {
      const { text } = await host.call(tool, args);
      expect(text.length, tool).toBeLessThan(25_000);
      if (tool !== 'list_threads') expect(text).toMatch(/and \d+ more/);
    }
  });

  it('finds words with filters, and says which mode ran', async () => {
    const inbox = await server.inbox();
    await mail(inbox, 'Quaggas', 'Two quaggas arrived.');
    await mail(inbox, 'Zebras', 'No others.');
    await server.filed();
    await server.indexed();
    const { data } = await host.call('search_messages', {
      query: 'quagga',
      inbox_id: inbox.id,
      from: 'remote.example',
    });
    expect(data).toMatchObject({ mode_used: 'keyword', messages: [{ score: expect.any(Number) }] });
  });

  it('refuses arguments with the field and what to do', async () => {
    const answer = await host.call('search_messages', {
      after: 'yesterday',
      wait_seconds: 500,
      colour: 'red',
    });
    expect(answer).toMatchObject({
      isError: true,
      data: { error: 'invalid_request', next: expect.stringContaining('Correct') },
    });
    expect(answer.data.message).toMatch(/wait_seconds/);
    expect(await host.call('search_messages', { after: 'yesterday' })).toMatchObject({
      isError: true,
      data: { issues: [{ path: 'after' }] },
    });
  });
});
