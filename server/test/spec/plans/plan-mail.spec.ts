/* Section 7: originals and bodies count; over the plan's figure, or a sender's share of it, mail waits at its sender. */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeInbox } from '../../../src/inboxes/purge-inbox.ts';
import { rollUpUsage } from '../../../src/workspaces/usage-days.ts';

const cap = 1_000_000;
const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    clock,
    env: {
      POSTRIDER_PLANS: JSON.stringify({ free: { mail_bytes: cap }, pro: { storage_bytes: 7_000 } }),
      POSTRIDER_TIME_SCALE: '100',
    },
  });
});
afterAll(() => server.stop());

const mailBytes = async ({ client }: TestWorkspace) => (await client.account.get()).usage.mail_bytes;

/** Says a mail of so many bytes of text; answers the codes of each RCPT, and what was said to the data, if anybody took it. */
const deliver = async (
  to: string[],
  { from = 'ada@remote.example', bytes = 1_000, text = 'x'.repeat(bytes), at = '127.0.0.1' } = {},
) => {
  const client = await RawSmtpClient.connect(server.smtpPort, 300_000, at);
  await client.reply();
  await client.codes('EHLO client.example', `MAIL FROM:<${from}>`);
  const rcpt: string[] = [];
  for (const address of to) rcpt.push((await client.command(`RCPT TO:<${address}>`)).lines[0] ?? '');
  let data: string | null = null;
  if (rcpt.some((line) => line.startsWith('250'))) {
    await client.codes('DATA');
    const id = `<${crypto.randomUUID()}@remote.example>`;
    const lines = text.match(/.{1,900}/gs)?.join('\r\n') ?? '';
    client.write(`From: ada@remote.example\r\nMessage-ID: ${id}\r\nSubject: s\r\n\r\n${lines}\r\n.\r\n`);
    data = (await client.reply()).lines[0] ?? '';
  }
  client.destroy();
  await server.filed();
  return { rcpt: rcpt.map((line) => line.slice(0, 9)), data: data?.slice(0, 3) ?? null };
};

const fill = (owner: TestWorkspace, amount: number) =>
  server.rows(
    "insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'mail_bytes', $2, now())",
    [owner.id, amount],
  );
const owned = async (plan: 'free' | 'pro' | 'business' = 'free') => {
  const owner = await server.workspace({ plan });
  return { owner, inbox: await server.inbox(owner) };
};
/** Returns the bytes that are stored, counted from the rows. */
const storedBytes = async ({ id }: TestWorkspace) => {
  const [row] = await server.rows<{ sum: string }>(
    `select sum(size_bytes + octet_length(concat(body_text, body_html, extracted_text))) from messages where workspace_id = $1`,
    [id],
  );
  return Number(row?.sum ?? 0);
};
const deletePurged = async (owner: TestWorkspace, { id }: Inbox) => {
  await owner.client.inboxes.delete(id);
  await purgeInbox(server.server.deps).run({ workspaceId: owner.id, inboxId: id });
};

test('Interface 7 mail_bytes: originals and bodies of both directions count, and are given back when they are removed', async () => {
  const { owner, inbox } = await owned();
  const kept = await server.inbox(owner);
  expect(await mailBytes(owner)).toBe(0);
  await deliver([inbox.address, kept.address], { text: 'Grüße 😀 '.repeat(500) });
  await owner.client.messages.send({
    inbox_id: inbox.id,
    to: ['ada@remote.example'],
    subject: 's',
    text: 'Grüße',
    html: '<p>Grüße</p>',
  });
  const stored = await storedBytes(owner);
  expect(stored).toBeGreaterThan(16_000);
  expect(await mailBytes(owner)).toBe(stored);
  await rollUpUsage(server.server.deps).run({});
  expect(await mailBytes(owner)).toBe(stored);
  await deletePurged(owner, inbox);
  expect(await mailBytes(owner)).toBe(await storedBytes(owner));
  expect(await mailBytes(owner)).toBeGreaterThan(8_000);
  await deletePurged(owner, kept);
  expect(await mailBytes(owner)).toBe(0);
});

test('Interface 7 mail_bytes: twice the attachment storage unless it is set itself', async () => {
  const [free, pro, business] = [await owned('free'), await owned('pro'), await owned('business')];
  const limitsOf = async ({ owner }: typeof free) => (await owner.client.account.get()).limits;
  expect(await limitsOf(free)).toMatchObject({ storage_bytes: 5 * 2 ** 30, mail_bytes: cap });
  expect(await limitsOf(pro)).toMatchObject({ storage_bytes: 7_000, mail_bytes: 14_000 });
  expect(await limitsOf(business)).toMatchObject({
    storage_bytes: 500 * 2 ** 30,
    mail_bytes: 1_000 * 2 ** 30,
  });
});

test('Interface 7 mail_bytes: over it mail hears 452 4.2.2 for that mailbox only, is logged, and is taken once there is room', async () => {
  const [full, other] = [await owned(), await owned()];
  const spare = await server.inbox(full.owner);
  expect(await deliver([full.inbox.address])).toEqual({ rcpt: ['250 2.1.5'], data: '250' });
  await fill(full.owner, cap);
  const to = [full.inbox.address, other.inbox.address, spare.address];
  // A figure that was read far from the cap is used for as long as the rest could not be used up.
  await eventually('the cap to be noticed', async () => (await deliver([full.inbox.address])).data === null);
  expect(await deliver(to)).toEqual({ rcpt: ['452 4.2.2', '250 2.1.5', '452 4.2.2'], data: '250' });
  const tagged = full.inbox.address.replace('@', '+tag@');
  expect(await deliver([tagged])).toEqual({ rcpt: ['452 4.2.2'], data: null });
  const noted = () =>
    server.rows(
      "select workspace_id, verdict, left(reply, 9) as reply from smtp_decisions where inbox_id = $1 and verdict <> 'accepted'",
      [spare.id],
    );
  const [decision] = await eventually('the decision to be logged', async () => {
    const rows = await noted();
    return rows.length > 0 && rows;
  });
  expect(decision).toEqual({ workspace_id: full.owner.id, verdict: 'deferred', reply: '452 4.2.2' });
  const { messages } = await other.owner.client.messages.list();
  expect(messages).toHaveLength(1);
  await fill(full.owner, -cap);
  await eventually(
    'mail to be taken again',
    async () => (await deliver([full.inbox.address])).data === '250',
  );
});

test('Interface 7 mail_bytes: a send within the server is taken over the cap, waits like any mail, and arrives once there is room', async () => {
  const { owner, inbox } = await owned();
  const sender = await owned();
  await fill(owner, cap);
  const sent = await sender.owner.client.messages.send({
    inbox_id: sender.inbox.id,
    to: [inbox.address],
    subject: 'Later',
    text: 't',
  });
  const recipients = async () => (await sender.owner.client.messages.get(sent.id)).recipients;
  await eventually(
    'the recipient to be deferred',
    async () => (await recipients())[0]?.status === 'deferred',
  );
  expect((await recipients())[0]?.detail).toMatch(/^452 4\.2\.2 /);
  // A workspace over the cap still sends.
  await owner.client.messages.send({ inbox_id: inbox.id, to: ['a@remote.example'], subject: 's', text: 't' });
  await fill(owner, -cap);
  const arrived = await owner.client.messages.waitFor({
    timeout: 300_000,
    inbox_id: inbox.id,
    after: inbox.created_at,
    subject: 'Later',
  });
  expect(arrived.subject).toBe('Later');
  await eventually('the outcome', async () => (await recipients())[0]?.status === 'delivered');
});

test('Interface 7 mail_bytes: who puts over a tenth of it into one inbox within a day waits, whatever its local part, and others go on', async () => {
  const { owner, inbox } = await owned();
  const second = await server.inbox(owner);
  const to = [inbox.address];
  const taken = { rcpt: ['250 2.1.5'], data: '250' };
  const waits = { rcpt: ['452 4.2.2'], data: null };
  const noise = () => `n${crypto.randomUUID()}@noise.example`;
  let put = 0;
  for (; put < 20 && (await deliver(to, { from: noise(), bytes: 20_000 })).data === '250'; put += 1);
  expect(put).toBeGreaterThanOrEqual(2);
  expect(await mailBytes(owner)).toBeLessThan(cap / 5);
  expect(await deliver(to, { from: noise() })).toEqual(waits);
  expect(await deliver(to, { from: noise(), at: '127.0.0.9' })).toEqual(waits);
  expect(await deliver([inbox.address, second.address], { from: noise() })).toEqual({
    rcpt: ['452 4.2.2', '250 2.1.5'],
    data: '250',
  });
  expect(await deliver(to, { from: 'a@quiet.example' })).toEqual(taken);
  expect(await deliver(to, { from: '' })).toEqual(taken);
  // A day is 864 s at this pace.
  clock.advance(900_000);
  expect(await deliver(to, { from: noise() })).toEqual(taken);
});

test('Interface 7 mail_bytes: however mail and deletions race, what is left is what the rows say', async () => {
  const { owner } = await owned('business');
  for (let round = 0; round < 4; round += 1) {
    const racing = await server.inbox(owner);
    const mails = Array.from({ length: 10 }, (_, i) =>
      deliver([racing.address], { from: `a@r${i}.example` }).catch(() => null),
    );
    await mails[round];
    await owner.client.inboxes.delete(racing.id);
    await Promise.all(mails);
    await server.filed();
    await purgeInbox(server.server.deps).run({ workspaceId: owner.id, inboxId: racing.id });
    await rollUpUsage(server.server.deps).run({});
    expect(await mailBytes(owner)).toBe(await storedBytes(owner));
  }
  expect(await mailBytes(owner)).toBe(0);
});
