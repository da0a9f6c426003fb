import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;

beforeAll(async () => {
  running = await startServerWithSink({ env: { POSTRIDER_RATE_LIMITS: 'off' } });
  ({ server, sink } = running);
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const address = () => `${server.freshName('rcpt')}@remote.example`;
const later = () => new Date(Date.now() + 3_600_000).toISOString();
const letter = (inbox_id: string, to = [address()]) => ({ inbox_id, to, subject: 'Hello', text: 'Hi.' });

describe('a draft', () => {
  test('Drafts POST /drafts, Draft id, Draft to, Draft subject, Draft status: 201 with what was given, and null where nothing was', async () => {
    const { drafts } = server.client;
    const inbox = await server.inbox();
    const bare = await drafts.create({ inbox_id: inbox.id });
    expect(bare).toEqual({
      id: expect.stringMatching(/^dft_/),
      inbox_id: inbox.id,
      to: [],
      cc: [],
      bcc: [],
      subject: null,
      text: null,
      html: null,
      attachments: [],
      reply_to_message_id: null,
      metadata: {},
      scheduled_at: null,
      status: 'draft',
      message_id: null,
      failure: null,
      created_at: bare.created_at,
      updated_at: bare.created_at,
    });
    const given = {
      to: ['Ada Lovelace <ada@remote.example>'],
      cc: ['bob@remote.example'],
      bcc: ['eve@remote.example'],
      subject: 'Plan',
      text: 'Hi.',
      html: '<p>Hi.</p>',
      scheduled_at: later(),
    };
    const made = await drafts.create({ inbox_id: inbox.id, ...given });
    expect(made).toMatchObject({ ...given, status: 'scheduled' });
    const { body } = await server.request('/v1/drafts', { method: 'POST', body: { inbox_id: inbox.id } });
    expect(body).toMatchObject({ status: 'draft', subject: null });
    expect(await drafts.get(made.id)).toEqual(made);
  });

  test('Drafts GET /drafts/{id}: answers the whole draft, and a 404 for an id that names none', async () => {
    const { drafts } = server.client;
    const made = await drafts.create({ ...letter((await server.inbox()).id), scheduled_at: later() });
    expect(await drafts.get(made.id)).toEqual(made);
    const theirs = (await server.workspace()).client.drafts;
    for (const call of [
      () => theirs.get(made.id),
      () => drafts.get('dft_x'),
      () => drafts.get(made.inbox_id),
    ])
      await catchApiError(call(), 'not_found');
  });

  test('Draft text, html: each is kept as it is given, may be large and has no NUL', async () => {
    const { drafts } = server.client;
    const inbox = await server.inbox();
    const text = `${'ä'.repeat(1_000_000)}\r\n\t \u0000end`;
    const made = await drafts.create({ inbox_id: inbox.id, text });
    expect([made.text, made.html]).toEqual([text.replace('\u0000', ''), null]);
    const both = await drafts.update(made.id, { html: '<p></p>', text: '' });
    expect([both.text, both.html]).toEqual(['', '<p></p>']);
    const over = 'x'.repeat(5 * 1_048_576 + 1);
    expect(await invalidFields(drafts.create({ inbox_id: inbox.id, text: over }))).toEqual(['text']);
    expect(await invalidFields(drafts.update(made.id, { html: over }))).toEqual(['html']);
  });

  test('Draft inbox_id: is required, and an unknown, foreign or deleted one is a 404', async () => {
    const { drafts } = server.client;
    expect(await invalidFields(drafts.create({} as never))).toEqual(['inbox_id']);
    const theirs = await server.inbox(await server.workspace());
    const deleted = await server.inbox();
    await server.client.inboxes.delete(deleted.id);
    for (const inbox_id of [theirs.id, deleted.id, 'inb_x'])
      await catchApiError(drafts.create({ inbox_id }), 'not_found');
  });

  test('Drafts GET /drafts: newest first, by inbox and by status, in pages', async () => {
    const owner = await server.workspace();
    const { drafts } = owner.client;
    const inbox = await server.inbox(owner);
    const other = await server.inbox(owner);
    const plain = await drafts.create({ inbox_id: inbox.id });
    const scheduled = await drafts.create({ ...letter(inbox.id), scheduled_at: later() });
    const sent = await drafts.create(letter(other.id));
    await drafts.send(sent.id);
    const rejected = await drafts.create(letter(other.id));
    sink.script({ at: 'data', reply: '554 5.7.1 No', recipient: rejected.to[0] ?? '' });
    await catchApiError(drafts.send(rejected.id), 'message_rejected');
    const idsOf = async (query: Parameters<typeof drafts.list>[0]) =>
      (await drafts.list(query)).drafts.map(({ id }) => id);
    expect(await idsOf({})).toEqual([rejected.id, sent.id, scheduled.id, plain.id]);
    expect(await idsOf({ inbox_id: inbox.id })).toEqual([scheduled.id, plain.id]);
    expect(await idsOf({ status: 'draft' })).toEqual([plain.id]);
    expect(await idsOf({ status: 'scheduled' })).toEqual([scheduled.id]);
    expect(await idsOf({ status: 'sent' })).toEqual([sent.id]);
    expect(await idsOf({ status: 'failed' })).toEqual([rejected.id]);
    expect(await idsOf({ status: 'sending' })).toEqual([]);
    expect(await idsOf({ status: 'sent', inbox_id: inbox.id })).toEqual([]);
    const all: string[] = [];
    for await (const { id } of drafts.list({ limit: 1 })) all.push(id);
    expect(all).toEqual([rejected.id, sent.id, scheduled.id, plain.id]);
    await catchApiError(Promise.resolve(drafts.list({ inbox_id: 'inb_x' })), 'not_found');
    expect(await invalidFields(Promise.resolve(drafts.list({ status: 'gone' as never })))).toEqual([
      'status',
    ]);
  });

  test('Drafts GET /drafts: a page of large drafts ends early, and the next one goes on', async () => {
    const owner = await server.workspace();
    const { drafts } = owner.client;
    const inbox = await server.inbox(owner);
    const body = 'a line of text\n'.repeat(330_000);
    const made: string[] = [];
    for (let count = 0; count < 4; count += 1)
      made.push((await drafts.create({ inbox_id: inbox.id, text: body, html: body })).id);
    const first = await drafts.list({ limit: 10 });
    expect(first.drafts.map(({ id }) => id)).toEqual([made[3]]);
    expect(first.drafts[0]?.text).toBe(body);
    const all: string[] = [];
    for await (const { id } of drafts.list({ limit: 10 })) all.push(id);
    expect(all).toEqual(made.toReversed());
  });

  test('Drafts GET /drafts: a page is measured as it is answered, where texts take twice as many bytes as JSON', async () => {
    const owner = await server.workspace();
    const { drafts } = owner.client;
    const inbox = await server.inbox(owner);
    for (let count = 0; count < 4; count += 1)
      await drafts.create({ inbox_id: inbox.id, text: '"'.repeat(1_000_000) });
    const { text } = await server.request('/v1/drafts', owner);
    expect(Buffer.byteLength(text)).toBeLessThan(6_291_456);
    const all: string[] = [];
    for await (const { id } of drafts.list({ limit: 10 })) all.push(id);
    expect(new Set(all).size).toBe(4);
  });

  test('Drafts PATCH /drafts/{id}: changes what is given and leaves the rest; null and an empty list clear', async () => {
    const { drafts } = server.client;
    const inbox = await server.inbox();
    const made = await drafts.create({ ...letter(inbox.id), cc: ['bob@remote.example'], html: '<p>Hi.</p>' });
    expect(await drafts.update(made.id, {})).toEqual(made);
    const changed = await drafts.update(made.id, { subject: 'Other', cc: [], html: null });
    expect(changed).toEqual({
      ...made,
      subject: 'Other',
      cc: [],
      html: null,
      updated_at: changed.updated_at,
    });
    expect(changed.updated_at > made.updated_at).toBe(true);
    expect(await drafts.get(made.id)).toEqual(changed);
    expect(await invalidFields(drafts.update(made.id, { inbox_id: inbox.id } as never))).toEqual([
      'inbox_id',
    ]);
    await catchApiError(drafts.update('dft_x', { subject: 's' }), 'not_found');
  });

  test('Drafts PATCH /drafts/{id}: recipients count together with those that were there', async () => {
    const { drafts } = server.client;
    const inbox = await server.inbox();
    const to = Array.from({ length: 30 }, (_, index) => `to-${index}@remote.example`);
    const made = await drafts.create({ inbox_id: inbox.id, to });
    const cc = Array.from({ length: 21 }, (_, index) => `cc-${index}@remote.example`);
    expect(await invalidFields(drafts.update(made.id, { cc }))).toEqual(['to']);
    expect((await drafts.update(made.id, { cc: cc.slice(1) })).cc).toHaveLength(20);
  });

  test('Drafts PATCH /drafts/{id}: setting a time schedules it, clearing the time makes it a draft', async () => {
    const { drafts } = server.client;
    const made = await drafts.create(letter((await server.inbox()).id));
    const scheduled_at = later();
    expect(await drafts.update(made.id, { scheduled_at })).toMatchObject({
      scheduled_at,
      status: 'scheduled',
    });
    expect(await drafts.update(made.id, { text: 'New.' })).toMatchObject({
      scheduled_at,
      status: 'scheduled',
    });
    const cleared = await drafts.update(made.id, { scheduled_at: null });
    expect(cleared).toMatchObject({ scheduled_at: null, status: 'draft', text: 'New.' });
  });

  test('Drafts DELETE /drafts/{id}: 204, then 404 in every way', async () => {
    const { drafts } = server.client;
    const made = await drafts.create(letter((await server.inbox()).id));
    await drafts.delete(made.id);
    for (const again of [
      () => drafts.get(made.id),
      () => drafts.update(made.id, { subject: 's' }),
      () => drafts.update(made.id, {}),
      () => drafts.send(made.id),
      () => drafts.delete(made.id),
    ])
      await catchApiError(again(), 'not_found');
    expect(await server.rows('select 1 from drafts where id = $1', [made.id])).toEqual([]);
  });

  test('Draft reply_to_message_id: names a message of the same inbox, else 404', async () => {
    const { drafts, messages } = server.client;
    const [inbox, other] = [await server.inbox(), await server.inbox()];
    await sendMail(server.smtpPort, { from: 'ada@remote.example', to: other.address, text: 'Hi' });
    const elsewhere = (await messages.list({ inbox_id: other.id })).messages[0]?.id ?? '';
    const made = await drafts.create({ inbox_id: inbox.id });
    for (const reply_to_message_id of [elsewhere, 'msg_x']) {
      await catchApiError(drafts.create({ inbox_id: inbox.id, reply_to_message_id }), 'not_found');
      await catchApiError(drafts.update(made.id, { reply_to_message_id }), 'not_found');
    }
    const reply = await drafts.create({ inbox_id: other.id, reply_to_message_id: elsewhere });
    expect(reply.reply_to_message_id).toBe(elsewhere);
    expect((await drafts.update(reply.id, { reply_to_message_id: null })).reply_to_message_id).toBeNull();
  });
});
