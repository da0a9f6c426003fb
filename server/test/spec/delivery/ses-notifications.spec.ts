/* Interface 6: `/hooks/ses` takes what Amazon SNS brings, and interface 3 says what it does to a message. */

import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  certificateUrl,
  type LocalSns,
  snsHost,
  startLocalSns,
  topicArn,
} from '@postrider/testkit/servers/local-sns.ts';
import { openDesk, type SendingDesk } from '@postrider/testkit/servers/sending-desk.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let running: ServerWithSink;
let server: TestServer;
let sns: LocalSns;
let here: SendingDesk;
let ids = 0;

beforeAll(async () => {
  sns = await startLocalSns();
  running = await startServerWithSink({
    httpsAgent: sns.agent,
    env: { POSTRIDER_SES_REGION: 'eu-west-1', POSTRIDER_SES_TOPIC_ARNS: `${topicArn}2, ${topicArn}` },
  });
  ({ server } = running);
  here = await openDesk(server);
});
afterAll(async () => {
  await running.stop();
  await sns.close();
});

/** Posts a body as SNS does; gives status, body and headers. */
const post = async (body: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${server.url}/hooks/ses`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': 'Notification',
      ...headers,
    },
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
};

const report = (providerId: string, kind: string, rest: object, timestamp = new Date()) =>
  JSON.stringify({ eventType: kind, mail: { messageId: providerId, timestamp }, ...rest });
const tell = async (providerId: string, kind: string, rest: object, timestamp?: Date) =>
  (await post(sns.post({ Message: report(providerId, kind, rest, timestamp) }))).status;

const recipients = (...addresses: string[]) =>
  addresses.map((emailAddress) => ({ emailAddress, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 No' }));
const bounce = (bounceType: string, ...addresses: string[]) => ({
  bounce: { bounceType, bounceSubType: 'General', bouncedRecipients: recipients(...addresses) },
});
const complaint = (...addresses: string[]) => ({
  complaint: { complainedRecipients: recipients(...addresses), complaintFeedbackType: 'abuse' },
});
const delivery = (...addresses: string[]) => ({
  delivery: { recipients: addresses, smtpResponse: '250 2.0.0 Ok' },
});

/** Sends to an address by a relay that answers as SES does. */
const sendBySes = async (desk = here) => {
  ids += 1;
  const address = `ada-${ids}@remote.example`;
  const providerId = `0102019${ids}-4f5e-0000`;
  running.sink.script({ at: 'dot', recipient: address, reply: `250 Ok ${providerId}` });
  const sent = await desk.send([address]);
  expect(sent).toMatchObject({ delivery_status: 'sent', provider_message_id: providerId });
  return { id: sent.id, address, providerId };
};

describe('Interface 3: what Amazon SES reports of a message', () => {
  test('a permanent bounce is hard, with its event and suppression, once however often it is told', async () => {
    const { id, address, providerId } = await sendBySes();
    const body = sns.post({
      Message: report(providerId, 'Bounce', bounce('Permanent', address.toUpperCase())),
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await here.status(id)).toBe('bounced');
    const [, event] = await here.ordered(id, ['message.sent', 'message.bounced']);
    expect(event).toMatchObject({
      recipient: address,
      bounce: { type: 'hard', code: '5.1.1', diagnostic: '550 5.1.1 No' },
    });
    expect(await here.suppressed()).toContain(`${address} hard_bounce`);
  });

  test('a transient and an undetermined bounce are soft', async () => {
    for (const type of ['Transient', 'Undetermined']) {
      const { id, address, providerId } = await sendBySes();
      expect(await tell(providerId, 'Bounce', bounce(type, address))).toBe(200);
      expect(await here.ordered(id, ['message.sent', 'message.bounced'])).toMatchObject([
        {},
        { bounce: { type: 'soft' } },
      ]);
      expect(await here.suppressed()).toContain(`${address} soft_bounce`);
    }
  });

  test('delivered, then complained, and a delivery that is told late changes nothing', async () => {
    const { id, address, providerId } = await sendBySes();
    expect(await tell(providerId, 'Delivery', delivery(address))).toBe(200);
    expect(await here.status(id)).toBe('delivered');
    expect(await tell(providerId, 'Complaint', complaint(address))).toBe(200);
    expect(await tell(providerId, 'Delivery', delivery(address))).toBe(200);
    expect(await here.status(id)).toBe('complained');
    const events = await here.ordered(id, ['message.sent', 'message.delivered', 'message.complained']);
    expect(events[2]).toMatchObject({ recipient: address, complaint: { feedback_type: 'abuse' } });
    expect(await here.suppressed()).toContain(`${address} complaint`);
  });

  test('delivered may still bounce, and what has bounced is not delivered', async () => {
    const { id, address, providerId } = await sendBySes();
    await tell(providerId, 'Delivery', delivery(address));
    await tell(providerId, 'Bounce', bounce('Permanent', address));
    await tell(providerId, 'Delivery', delivery(address));
    await tell(providerId, 'Complaint', complaint(address));
    expect(await here.status(id)).toBe('bounced');
    await here.ordered(id, ['message.sent', 'message.delivered', 'message.bounced']);
  });

  test('a rejection is message.rejected and suppresses nobody', async () => {
    const { id, address, providerId } = await sendBySes();
    expect(await tell(providerId, 'Reject', { reject: { reason: 'Bad content' } })).toBe(200);
    expect(await here.status(id)).toBe('rejected');
    const [, event] = await here.ordered(id, ['message.sent', 'message.rejected']);
    expect(event).toMatchObject({ recipient: address, reason: 'Bad content' });
    expect((await here.suppressed()).join()).not.toContain(address);
    const taken = await sendBySes();
    await tell(taken.providerId, 'Delivery', delivery(taken.address));
    await tell(taken.providerId, 'Reject', { reject: { reason: 'Bad content' } });
    expect(await here.status(taken.id)).toBe('delivered');
  });

  test('a delay is told in the detail, and nothing else changes', async () => {
    const { id, address, providerId } = await sendBySes();
    const deliveryDelay = { delayType: 'MailboxFull', delayedRecipients: [{ emailAddress: address }] };
    expect(await tell(providerId, 'DeliveryDelay', { deliveryDelay })).toBe(200);
    const [recipient] = (await here.client.messages.get(id)).recipients;
    expect(recipient).toMatchObject({ status: 'sent', detail: 'delayed: MailboxFull' });
    await tell(providerId, 'Delivery', delivery(address));
    await tell(providerId, 'DeliveryDelay', { deliveryDelay });
    expect(await here.status(id)).toBe('delivered');
    await here.ordered(id, ['message.sent', 'message.delivered']);
  });

  test('only those whom it names, of the message that it names', async () => {
    const [one, other] = [await sendBySes(), await sendBySes()];
    await tell(one.providerId, 'Bounce', bounce('Permanent', other.address, 'stranger@remote.example'));
    await tell(one.providerId, 'Complaint', complaint(other.address));
    expect([await here.status(one.id), await here.status(other.id)]).toEqual(['sent', 'sent']);
    expect((await here.suppressed()).join()).not.toMatch(`${other.address}|stranger`);
  });

  test('suppresses in the workspace that sent it, and in no other', async () => {
    const second = await openDesk(server);
    const { address, providerId } = await sendBySes(second);
    await tell(providerId, 'Bounce', bounce('Permanent', address));
    expect(await second.suppressed()).toEqual([`${address} hard_bounce`]);
    expect((await here.suppressed()).join()).not.toContain(address);
  });

  test('one that comes before its message is known is to be brought again, and then counts', async () => {
    const address = 'early@remote.example';
    const providerId = '01020199-ea71-0000';
    expect(await tell(providerId, 'Bounce', bounce('Permanent', address))).toBe(503);
    running.sink.script({ at: 'dot', recipient: address, reply: `250 Ok ${providerId}` });
    const { id } = await here.send([address]);
    expect(await tell(providerId, 'Bounce', bounce('Permanent', address))).toBe(200);
    expect(await here.status(id)).toBe('bounced');
  });

  test('one that cannot be written down is to be brought again, and then counts whole', async () => {
    const { id, address, providerId } = await sendBySes();
    const away = { table: 'suppressions', sqlstate: '57P03', message: 'the database starts' };
    await failOn(server, away, async () => {
      expect(await tell(providerId, 'Bounce', bounce('Permanent', address))).toBe(503);
    });
    expect(await here.status(id)).toBe('sent');
    expect(await tell(providerId, 'Bounce', bounce('Permanent', address))).toBe(200);
    await here.ordered(id, ['message.sent', 'message.bounced']);
  });

  test('one on a message that was never sent here is let go once it is old', async () => {
    const old = new Date(Date.now() - 10 * 60_000);
    expect(await tell('0102-unknown', 'Delivery', delivery('x@remote.example'), old)).toBe(200);
  });
});

describe('Interface 6: /hooks/ses', () => {
  test('confirms the subscription of a topic that is configured', async () => {
    const SubscribeURL = `https://${snsHost}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=abc`;
    const confirmation = { Type: 'SubscriptionConfirmation' as const, Token: 'abc', SubscribeURL };
    expect((await post(sns.post(confirmation))).status).toBe(200);
    await eventually('the confirmation', async () => sns.asked.some((path) => path.includes('Token=abc')));
    const elsewhere = { ...confirmation, SubscribeURL: 'https://evil.example/?Action=ConfirmSubscription' };
    expect(await post(sns.post(elsewhere))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect((await post(sns.post({ ...confirmation, Type: 'UnsubscribeConfirmation' }))).status).toBe(200);
  });

  test('takes what is no notification of SES, since nothing follows from it', async () => {
    const Message = 'Successfully validated SNS topic for Amazon SES event publishing.';
    expect((await post(sns.post({ Message }))).status).toBe(200);
  });

  test('answers 503 with Retry-After while the certificate cannot be had', async () => {
    sns.answers.set('/SimpleNotificationService-away.pem', { status: 500, body: '' });
    const SigningCertURL = certificateUrl.replace('abc123', 'away');
    const { status, headers, body } = await post(sns.post({ SigningCertURL }));
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '5', 'unavailable']);
  });

  test.each([
    ['no JSON', 'hello', ''],
    ['nothing', '', ''],
    ['a raw delivery', JSON.stringify({ eventType: 'Bounce' }), ''],
  ])('refuses %s', async (_what, body, path) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', issues: [{ path }] } });
  });

  test('refuses what SNS did not sign, and changes nothing for it', async () => {
    const { id, address, providerId } = await sendBySes();
    const Message = report(providerId, 'Bounce', bounce('Permanent', address));
    const bodies = [
      JSON.stringify({ ...JSON.parse(sns.post()), Message }),
      sns.post({ Message, TopicArn: `${topicArn}3` }),
      sns.post({ Message, SigningCertURL: 'https://evil.example/SimpleNotificationService-a.pem' }),
    ];
    for (const body of bodies) expect((await post(body)).status).toBe(400);
    expect(await here.status(id)).toBe('sent');
  });

  test('reads 1 MB whatever the body says to be', async () => {
    const large = await post(' '.repeat(1_048_577));
    expect(large).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large', limit_bytes: 1_048_576 },
    });
    expect((await post(sns.post(), { 'content-type': 'application/json' })).status).toBe(200);
    expect((await post(sns.post(), { 'content-type': 'image/png' })).status).toBe(200);
  });

  test('takes no other method', async () => {
    expect((await fetch(`${server.url}/hooks/ses`)).status).toBe(404);
  });
});
