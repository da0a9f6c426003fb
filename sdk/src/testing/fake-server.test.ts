import { http } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { APIError, type ListMessages, NotFoundError, Postrider } from '../index.ts';
import { FakeServer } from '../testing.ts';

function open(): { fake: FakeServer; client: Postrider } {
  const fake = new FakeServer();
  return { fake, client: new Postrider({ ...fake.options, maxRetries: 0 }) };
}

describe('a fake server', () => {
  it('keeps inboxes, so that an agent can be started twice', async () => {
    const { fake, client } = open();
    const first = await client.inboxes.getOrCreate({ local_part: 'Support', display_name: 'Support' });
    expect(first).toMatchObject({ address: 'support@postrider.test', display_name: 'Support' });
    expect(await client.inboxes.getOrCreate({ local_part: 'support' })).toEqual(first);
    await expect(client.inboxes.create({ local_part: 'support' })).rejects.toThrow('address_taken');
    expect(await client.inboxes.update(first.id, { display_name: 'Help' })).toMatchObject({
      display_name: 'Help',
    });
    expect((await client.inboxes.list()).inboxes).toHaveLength(1);
    await client.inboxes.delete(first.id);
    await expect(client.inboxes.get(first.id)).rejects.toThrow(NotFoundError);
    expect(fake.requests.map(({ route }) => route).at(-1)).toBe('inboxes.get');
  });

  it('has mail arrive in lists, waits and streams, and keeps what is sent', async () => {
    const { fake, client } = open();
    const inbox = await client.inboxes.create({ local_part: 'agent' });
    const stream = client.messages.stream({ inbox_id: inbox.id });
    const waiting = client.messages.waitFor({ inbox_id: inbox.id, from: 'example.com' });
    await stream.ready();
    const { id } = fake.receive({ subject: 'Lunch?', body_text: 'At noon?' });
    expect((await waiting).id).toBe(id);
    expect((await stream.next()).value).toMatchObject({ id, subject: 'Lunch?', inbox_id: inbox.id });
    await stream.return();
    expect((await client.messages.list({ subject: 'lunch' })).messages).toHaveLength(1);
    expect((await client.messages.list({ from: 'example.org' })).messages).toEqual([]);
    const sent = await client.messages.reply(id, { text: 'Gladly!' });
    expect(fake.sent).toMatchObject([
      { id: sent.id, subject: 'Re: Lunch?', body_text: 'Gladly!', to_addrs: ['ada@example.com'] },
    ]);
    fake.receive({ thread_id: sent.thread_id, subject: 'Re: Lunch?', body_text: 'See you.' });
    expect((await client.messages.waitForReply(sent)).body_text).toBe('See you.');
  });

  it('finds messages by the words of a query', async () => {
    const fake = new FakeServer();
    const client = new Postrider(fake.options);
    fake.receive({ subject: 'Lunch?', body_text: 'Noodles at noon?' });
    fake.receive({ subject: 'Invoice', body_text: 'For the noodles of Monday.' });
    const subjects = async (query: string) =>
      (await client.messages.search(query)).messages.map(({ subject }) => subject);
    expect(await subjects('noodles')).toEqual(['Invoice', 'Lunch?']);
    expect(await subjects('NOODLES "at noon"')).toEqual(['Lunch?']);
    expect(await subjects('noodles -monday')).toEqual(['Lunch?']);
    const page = await client.messages.search('nothing');
    expect([page.messages, page.mode_used]).toEqual([[], 'keyword']);
    expect((await client.messages.list()).mode_used).toBe('recent');
  });

  it('keeps labels and marks of messages, which lists and waits filter by', async () => {
    const { fake, client } = open();
    await client.inboxes.create({ local_part: 'agent' });
    const { id } = fake.receive({ read: false, labels: [], attachments: [] });
    const changed = await client.messages.update(id, {
      add_labels: ['todo'],
      read: true,
      metadata: { a: 'b' },
    });
    expect(changed).toMatchObject({ id, read: true, metadata: { a: 'b' }, labels: [{ name: 'todo' }] });
    const label_id = changed.labels[0]?.id ?? '';
    const listIds = async (filters: ListMessages) =>
      (await client.messages.list(filters)).messages.map((message) => message.id);
    expect([await listIds({ label_id }), await listIds({ read: true, has_attachment: false })]).toEqual([
      [id],
      [id],
    ]);
    expect([await listIds({ read: false }), await listIds({ has_attachment: true })]).toEqual([[], []]);
    const waiting = listIds({ read: false, wait_seconds: 5 });
    const { id: next } = fake.receive({ read: false });
    expect(await waiting).toEqual([next]);
    const sending = listIds({ direction: 'outbound', wait_seconds: 5 });
    const reply = await client.messages.reply(next, { text: 'Yes.' });
    expect(await sending).toEqual([reply.id]);
    expect((await client.messages.update(id, { remove_labels: ['TODO'] })).labels).toEqual([]);
    await expect(client.messages.update('msg_unknown', { read: true })).rejects.toThrow(NotFoundError);
  });

  it('sends what is sent, and answers a receipt', async () => {
    const { fake, client } = open();
    const inbox = await client.inboxes.create({ local_part: 'agent', display_name: 'Agent' });
    const params = { inbox_id: inbox.id, to: ['Ada <ada@example.com>'], subject: 'Hi', text: 'Hello' };
    const receipt = await client.messages.send({ ...params, client_id: 'one' });
    expect(receipt).toMatchObject({ idempotent: false, dropped: [], delivery_status: 'sent' });
    expect(receipt).not.toHaveProperty('body_text');
    expect(await client.messages.get(receipt.id)).toMatchObject({
      direction: 'outbound',
      from_addr: inbox.address,
      client_id: 'one',
    });
    expect(fake.sent).toHaveLength(1);
    const { recipients } = await client.messages.waitForDelivery(receipt);
    expect(recipients).toMatchObject([{ address: 'ada@example.com', status: 'sent', sandboxed: true }]);
  });

  it('answers the examples of the API to everything else', async () => {
    const { client } = open();
    expect((await client.account.get()).plan).toBeTypeOf('string');
    expect((await client.drafts.create({ inbox_id: 'inb_1', subject: 'Later' })).status).toBeTypeOf('string');
    expect(
      (await client.webhooks.create({ url: 'https://a.example/', events: ['message.received'] })).secret,
    ).toMatch(/^whsec_/);
    expect(await client.labels.delete('lbl_1')).toBeUndefined();
  });

  it('refuses what the API refuses by its form', async () => {
    const { fake, client } = open();
    const send = (body: object) => client.messages.send(body as Parameters<typeof client.messages.send>[0]);
    await expect(send({ inbox_id: 'inb_1', too: ['a@b.example'] })).rejects.toThrow(
      'too is not a known field',
    );
    await expect(send({ to: ['a@b.example'], subject: 'Hi' })).rejects.toThrow('inbox_id is missing');
    await expect(client.request('GET', '/nothing')).rejects.toThrow(NotFoundError);
    const answer = await fake.fetch('http://127.0.0.1:4400/v1/inboxes');
    expect([answer.status, (await answer.json()).error]).toEqual([401, 'invalid_token']);
    expect(fake.sent).toEqual([]);
  });

  it('answers what a test wants', async () => {
    const { fake, client } = open();
    fake.answer('messages.send', () =>
      FakeServer.error(402, 'email_limit_reached', { upgrade: true, limit: 5 }),
    );
    const params = { inbox_id: 'inb_1', to: ['a@b.example'], subject: 'Hi' };
    const error = await client.messages.send(params).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: 402, code: 'email_limit_reached', limit: 5 });
    expect(fake.requests).toMatchObject([{ route: 'messages.send', body: { subject: 'Hi' } }]);
  });

  it('has handlers for msw', async () => {
    const fake = new FakeServer();
    const server = setupServer(...fake.handlers(http));
    server.listen();
    onTestFinished(() => server.close());
    const client = new Postrider({ apiKey: 'pr_test_any', baseURL: fake.options.baseURL });
    fake.receive({ subject: 'Hello' });
    expect((await client.messages.list()).messages).toMatchObject([{ subject: 'Hello' }]);
  });
});
