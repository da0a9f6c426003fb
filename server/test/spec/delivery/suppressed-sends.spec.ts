/* Messages 2 with the list itself: what is on it is dropped from the next send, however it came there and until it is taken off. */

import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const hour = 3_600_000;
/** Ten times as fast, so that the worker looks for what is due ten times a second. */
const timeScale = 10;
const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink({
    clock,
    env: { POSTRIDER_TIME_SCALE: String(timeScale), POSTRIDER_RATE_LIMITS: 'off' },
  });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const address = (name = 'rcpt') => `${server.freshName(name)}@remote.example`;
const send = (...to: string[]) =>
  server.client.messages.send({ inbox_id: inbox.id, to, subject: 's', text: 't' });
const suppress = (to: string) => server.client.suppressions.create({ address: to });
const release = (to: string) => server.client.suppressions.delete(to);
const suppressed = (to: string) => ({ address: to, reason: 'suppressed' });
const listed = async (to: string) => {
  const { suppressions } = await server.client.suppressions.list({ limit: 100 });
  return suppressions.find((each) => each.address === to);
};

test('Messages 2, Interface 6 POST /suppressions: a suppressed address is dropped from the next send, and sent to again once it is removed', async () => {
  const [gone, other] = [address('gone'), address('other')];
  for (let round = 0; round < 3; round++) {
    await suppress(gone);
    await catchApiError(send(gone), 'no_deliverable_recipients', { blocked: [suppressed(gone)] });
    const receipt = await send(gone, other);
    expect(receipt.dropped).toEqual([suppressed(gone)]);
    expect((await server.client.messages.get(receipt.id)).recipients.map((each) => each.address)).toEqual([
      other,
    ]);
    await release(gone);
    expect((await send(gone)).dropped).toEqual([]);
  }
  expect([sink.copiesFor(gone).length, sink.copiesFor(other).length]).toEqual([3, 3]);
});

test('Messages 2: an address is suppressed in all its spellings, in To, Cc and Bcc, and with a name', async () => {
  const spellings: [string, string[]][] = [
    ['eve@remote.example', ['EVE@Remote.Example', 'Eve <eVe@remote.example>', '"eve"@remote.example']],
    ['info@bücher.example', ['info@xn--bcher-kva.example', 'Info <INFO@BÜCHER.example>']],
    ['zo\u00eb@remote.example', ['zoe\u0308@remote.example', 'ZOË@remote.example']],
  ];
  for (const [one, others] of spellings) {
    const made = await suppress(one);
    for (const each of [one, ...others]) {
      await catchApiError(send(each), 'no_deliverable_recipients', { blocked: [suppressed(made.address)] });
      for (const field of ['cc', 'bcc'] as const) {
        const body = { inbox_id: inbox.id, to: [address()], subject: 's', [field]: [each] };
        expect((await server.client.messages.send(body)).dropped).toEqual([suppressed(made.address)]);
      }
    }
  }
});

test('Messages 2: a plus tag makes another address, which is not suppressed along', async () => {
  const plain = address('plus');
  const tagged = plain.replace('@', '+news@');
  await suppress(plain);
  expect((await send(tagged)).dropped).toEqual([]);
  await suppress(tagged.toUpperCase());
  expect((await send(tagged, address())).dropped).toEqual([suppressed(tagged)]);
  await release(plain);
  expect((await send(plain, tagged)).dropped).toEqual([suppressed(tagged)]);
});

test('Messages 2: replies and forwards leave out who is suppressed, and are a 422 when nobody is left', async () => {
  const [asker, copied] = [address('asker'), address('copied')];
  const { id } = await receiveMessage(server, { from: asker });
  const { messages } = server.client;
  await suppress(asker);
  const blocked = [suppressed(asker)];
  await catchApiError(messages.reply(id, { text: 'Yes.' }), 'no_deliverable_recipients', { blocked });
  await catchApiError(messages.forward(id, { to: [asker] }), 'no_deliverable_recipients', { blocked });
  expect((await messages.forward(id, { to: [copied], cc: [asker] })).dropped).toEqual(blocked);
  await release(asker);
  expect((await messages.reply(id, { text: 'Yes.' })).dropped).toEqual([]);
  expect([sink.copiesFor(asker).length, sink.copiesFor(copied).length]).toEqual([1, 1]);
});

test('States Recipient address message.bounced, Interface 3 Suppression: a hard bounce is listed with its message, and removing it lets the next send go', async () => {
  const to = address();
  sink.script({ at: 'rcpt', recipient: to, reply: '550 5.1.1 No such user', times: 1 });
  const bounced = await send(to);
  const entry = {
    address: to,
    reason: 'hard_bounce',
    message_id: bounced.id,
    created_at: expect.any(String),
  };
  expect(await listed(to)).toEqual(entry);
  expect(await suppress(to)).toEqual(entry);
  await catchApiError(send(to), 'no_deliverable_recipients', { blocked: [suppressed(to)] });
  await release(to);
  expect((await send(to)).delivery_status).toBe('sent');
  sink.script({ at: 'rcpt', recipient: to, reply: '550 5.1.1 No such user', times: 1 });
  const again = await send(to);
  expect(await listed(to)).toMatchObject({ reason: 'hard_bounce', message_id: again.id });
});

test('States Recipient address message.bounced, Interface 3 Suppression: a soft bounce is listed with its message', async () => {
  const to = address();
  sink.script({ at: 'rcpt', recipient: to, reply: '452 4.2.2 Mailbox full' });
  const { id } = await send(to);
  expect(await listed(to)).toBeUndefined();
  clock.advance((49 * hour) / timeScale);
  const entry = await eventually('the soft bounce', () => listed(to));
  expect(entry).toMatchObject({ reason: 'soft_bounce', message_id: id });
});

test('Interface 3 Suppression: one outlives the inbox of the message that bounced', async () => {
  const own = await server.inbox();
  const to = address();
  sink.script({ at: 'rcpt', recipient: to, reply: '550 5.1.1 No such user', times: 1 });
  const { id } = await server.client.messages.send({ inbox_id: own.id, to: [to], subject: 's' });
  await server.client.inboxes.delete(own.id);
  expect(await listed(to)).toMatchObject({ reason: 'hard_bounce', message_id: id });
  await catchApiError(send(to), 'no_deliverable_recipients');
});

test('Messages 2: sends that race additions and removals either drop the address or send to it, each once', async () => {
  const [raced, other] = [address('raced'), address('other')];
  let copies = 0;
  for (let round = 0; round < 5; round++) {
    const sends = Array.from({ length: 8 }, () => send(raced, other));
    const changes = Array.from({ length: 16 }, (_, i) =>
      (i % 2 === 0 ? suppress(raced) : release(raced)).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      ),
    );
    expect((await Promise.all(changes)).filter((each) => each !== 'done' && each !== 'not_found')).toEqual(
      [],
    );
    for (const { dropped } of await Promise.all(sends)) {
      expect([[], [suppressed(raced)]]).toContainEqual(dropped);
      copies += 1 - dropped.length;
    }
  }
  expect([sink.copiesFor(raced).length, sink.copiesFor(other).length]).toEqual([copies, 40]);
});
