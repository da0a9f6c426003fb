/* Interface 6 and 10: mail that Amazon SES stores in a bucket and announces at `/hooks/ses` is taken in as mail by SMTP is. */

import { limits } from '@postrider/contract';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { deliveryReport } from '@postrider/testkit/mail/made-reports.ts';
import { type LocalSns, startLocalSns, topicArn } from '@postrider/testkit/servers/local-sns.ts';
import { type S3Server, startS3Server } from '@postrider/testkit/servers/s3-server.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { openReporting } from '@postrider/testkit/smtp/reporting.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let sns: LocalSns;
let s3: S3Server;
let dns: DnsServer;
let running: ServerWithSink;
let server: TestServer;
let inbox: Inbox;
let mails = 0;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  [sns, s3, dns] = await Promise.all([startLocalSns(), startS3Server('inbound'), startDnsServer()]);
  running = await startServerWithSink({
    httpsAgent: sns.agent,
    env: {
      POSTRIDER_SES_REGION: 'eu-west-1',
      POSTRIDER_SES_TOPIC_ARNS: topicArn,
      POSTRIDER_SES_INBOUND_BUCKET: 'inbound',
      POSTRIDER_SES_ENDPOINT: s3.url,
      POSTRIDER_S3_ENDPOINT: s3.url,
      POSTRIDER_DNS: dns.address,
    },
  });
  ({ server } = running);
  inbox = await server.inbox();
  dns.set('remote.example', 'TXT', ['v=spf1 ip4:192.0.2.7 -all']);
  dns.set('_dmarc.remote.example', 'TXT', ['v=DMARC1; p=reject']);
});
afterAll(async () => {
  await running.stop();
  await Promise.all([sns.close(), s3.close(), dns.close()]);
});

interface Made {
  from?: string;
  to?: string[];
  client?: string;
  lines?: string[];
}

/** Stores a mail as SES does, under its id, and returns the notification for it. */
const store = ({
  from = 'ada@remote.example',
  to = [inbox.address],
  client = '192.0.2.7',
  lines,
}: Made = {}) => {
  mails += 1;
  const id = `d6iitobk75ur${mails}`;
  const subject = `Mail ${mails}`;
  const received = `Received: from mx.remote.example (mx.remote.example [${client}])\r\n by inbound-smtp.eu-west-1.amazonaws.com with SMTP id ${id}\r\n for ${to[0]};\r\n Sun, 1 Mar 2026 12:00:00 +0000 (UTC)`;
  const content = lines ?? [
    'From: ada@remote.example',
    `Subject: ${subject}`,
    `Message-ID: <${id}@remote.example>`,
    '',
    'Hello',
  ];
  const raw = Buffer.from(
    `Return-Path: <${from}>\r\n${received}\r\nX-SES-Spam-Verdict: PASS\r\n${content.join('\r\n')}\r\n`,
  );
  s3.objects.set(`mail/${id}`, raw);
  const action = {
    type: 'S3',
    topicArn,
    bucketName: 'inbound',
    objectKeyPrefix: 'mail',
    objectKey: `mail/${id}`,
  };
  return { id, subject, raw, notice: noticeOf(id, { from, to, action }) };
};

const noticeOf = (
  id: string,
  { from, to, action, ...more }: { from: string; to: string[]; action: object; content?: string },
) => ({
  notificationType: 'Received',
  receipt: { timestamp: new Date(), recipients: to, spfVerdict: { status: 'PASS' }, action },
  mail: { timestamp: new Date(), source: from, messageId: id, destination: to },
  ...more,
});

const post = async (body: string) =>
  (await fetch(`${server.url}/hooks/ses`, { method: 'POST', body })).status;
const announce = (notice: object) => post(sns.post({ Message: JSON.stringify(notice) }));
const messagesOf = async (subject: string, box = inbox) =>
  (await server.client.messages.list({ inbox_id: box.id, limit: 100 })).messages.filter(
    (each) => each.subject === subject,
  );
const rawOf = async (messageId: string) =>
  (await server.rows<{ raw: Buffer }>('select raw from originals where message_id = $1', [messageId]))[0]
    ?.raw;
const decisionsFor = async (address: string) =>
  server.rows<{ verdict: string; reply: string; remote_address: string }>(
    'select verdict, reply, remote_address from smtp_decisions where rcpt_to = $1',
    [address],
  );
const fetches = () => s3.requests.filter((request) => request.startsWith('GET')).length;

test('a mail in the bucket is a message, byte for byte, and its sender is checked by the client that gave it to SES', async () => {
  const { subject, raw, notice } = store();
  expect(await announce(notice)).toBe(200);
  await server.filed();
  const [message] = await messagesOf(subject);
  expect(message?.authentication).toMatchObject({
    spf: 'pass',
    dmarc: 'pass',
    verified_domain: 'remote.example',
  });
  expect((await rawOf(message?.id ?? ''))?.equals(raw)).toBe(true);
  const forged = store({ client: '198.51.100.66' });
  expect(await announce(forged.notice)).toBe(200);
  await server.filed();
  expect((await messagesOf(forged.subject))[0]?.authentication).toMatchObject({ spf: 'fail', dmarc: 'fail' });
});

test('a mail that is announced again, or twice at once, is stored once', async () => {
  const { subject, notice } = store();
  const body = sns.post({ Message: JSON.stringify(notice) });
  const statuses = await Promise.all([post(body), post(body), announce(notice)]);
  expect([...statuses, await post(body)]).toEqual([200, 200, 200, 200]);
  await server.filed();
  expect(await messagesOf(subject)).toHaveLength(1);
});

test('only the recipients of the rule that are inboxes here get it, and the others are noted as refused', async () => {
  const other = await server.inbox();
  const nobody = `${server.freshName('nobody')}@postrider.test`;
  const { subject, notice } = store({ to: [nobody, inbox.address, other.address] });
  expect(await announce(notice)).toBe(200);
  await server.filed();
  expect([await messagesOf(subject), await messagesOf(subject, other)].map(({ length }) => length)).toEqual([
    1, 1,
  ]);
  const alone = store({ to: [nobody] });
  expect(await announce(alone.notice)).toBe(200);
  await expect.poll(() => decisionsFor(nobody)).toHaveLength(2);
  expect((await decisionsFor(nobody))[0]).toMatchObject({ verdict: 'refused', remote_address: '192.0.2.7' });
});

test('a mail that cannot be fetched or stored is to be announced again, and is then stored once', async () => {
  const away = store();
  s3.failNext(403, 'AccessDenied');
  expect(await announce(away.notice)).toBe(503);
  expect(await announce(away.notice)).toBe(200);
  const full = store();
  await failOn(server, { table: 'messages', sqlstate: '57P03', message: 'the database starts' }, async () => {
    expect(await announce(full.notice)).toBe(503);
  });
  expect(await announce(full.notice)).toBe(200);
  await server.filed();
  expect(await messagesOf(away.subject)).toHaveLength(1);
  expect(await messagesOf(full.subject)).toHaveLength(1);
});

test('nothing is fetched from another bucket, or for what SNS did not sign or another topic carried', async () => {
  const { subject, notice } = store();
  const before = fetches();
  const foreign = structuredClone(notice) as { receipt: { action: object } };
  Object.assign(foreign.receipt.action, { bucketName: 'secrets' });
  expect(await announce(foreign)).toBe(503);
  const Message = JSON.stringify(notice);
  expect(await post(JSON.stringify({ ...JSON.parse(sns.post()), Message }))).toBe(400);
  expect(await post(sns.post({ Message, TopicArn: `${topicArn}2` }))).toBe(400);
  expect(fetches()).toBe(before);
  expect(await messagesOf(subject)).toEqual([]);
});

test('a mail that is gone or too large is done with, and the latter is noted as refused', async () => {
  const gone = store();
  s3.objects.delete(`mail/${gone.id}`);
  expect(await announce(gone.notice)).toBe(200);
  const large = store({ to: [`large@${'x'.repeat(10)}.example`] });
  s3.objects.set(`mail/${large.id}`, Buffer.alloc(limits.inboundBytesMax + 1));
  expect(await announce(large.notice)).toBe(200);
  s3.objects.delete(`mail/${large.id}`);
  await expect
    .poll(() => decisionsFor(`large@${'x'.repeat(10)}.example`))
    .toMatchObject([{ verdict: 'refused', reply: expect.stringContaining('552 5.3.4') }]);
});

test('a mail within the notification is taken as it is', async () => {
  const { id, subject, raw } = store();
  s3.objects.delete(`mail/${id}`);
  const action = { type: 'SNS', topicArn, encoding: 'BASE64' };
  const content = raw.toString('base64');
  expect(
    await announce(noticeOf(id, { from: 'ada@remote.example', to: [inbox.address], action, content })),
  ).toBe(200);
  await server.filed();
  expect(await messagesOf(subject)).toHaveLength(1);
});

test('a report to a return path counts, and is no mail', async () => {
  const reporting = openReporting(running, inbox);
  const sent = await reporting.sendOut();
  const { notice } = store({
    from: '',
    to: [sent.returnPath],
    lines: deliveryReport({ recipient: sent.to }),
  });
  const before = (await reporting.mailsIn()).length;
  expect(await announce(notice)).toBe(200);
  expect((await reporting.stateOf(sent))[0]).toBe('bounced');
  expect(await reporting.mailsIn()).toHaveLength(before);
});
