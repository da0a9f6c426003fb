import { Agent } from 'node:https';
import {
  certificateUrl,
  type LocalSns,
  makeSigningKey,
  snsHost,
  startLocalSns,
  topicArn,
} from '@postrider/testkit/servers/local-sns.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SnsMessage } from './sns-message.ts';
import { createSnsReader, SnsAway, SnsRefused } from './sns-reader.ts';

let sns: LocalSns;
beforeAll(async () => {
  sns = await startLocalSns();
});
afterAll(() => sns.close());

const makeReader = (change: { agent?: Agent; now?: () => Date } = {}) =>
  createSnsReader({
    region: 'eu-west-1',
    topicArns: [topicArn],
    agent: sns.agent,
    now: () => new Date(),
    ...change,
  });

const subscribeUrl = `https://${snsHost}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=abc`;
const confirmation = { Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL: subscribeUrl } as const;

const certificateAt = (name: string, body: string, status = 200) => {
  const path = `/SimpleNotificationService-${name}.pem`;
  sns.answers.set(path, { status, body });
  return `https://${snsHost}${path}`;
};

describe('a message of SNS', () => {
  it.each(['1', '2'] as const)('is believed by its signature of version %s', async (version) => {
    const read = await makeReader().read(sns.post({ Message: 'Hi', Subject: 'With one' }, { version }));
    expect(read).toMatchObject({ Type: 'Notification', Message: 'Hi' });
  });

  const forged: [string, (sent: Record<string, string>) => object, string][] = [
    ['another text', () => ({ Message: 'Other' }), 'Signature'],
    ['a subject more', () => ({ Subject: 'x' }), 'Signature'],
    ['a signature that is none', () => ({ Signature: '%%%' }), 'Signature'],
    ['the other version', () => ({ SignatureVersion: '1' }), 'Signature'],
    ['another topic', () => ({ TopicArn: `${topicArn}2` }), 'TopicArn'],
    [
      'a certificate from elsewhere',
      () => ({ SigningCertURL: 'https://evil.example/a.pem' }),
      'SigningCertURL',
    ],
  ];
  it.each(forged)('is refused with %s', async (_what, change, field) => {
    const sent = JSON.parse(sns.post());
    const reading = makeReader().read(JSON.stringify({ ...sent, ...change(sent) }));
    await expect(reading).rejects.toThrow(SnsRefused);
    await expect(reading).rejects.toMatchObject({ field });
  });

  it('is refused by a certificate of another key, and by one that is not valid now', async () => {
    const other = certificateAt('other', makeSigningKey(new Date()).pem);
    await expect(makeReader().read(sns.post({ SigningCertURL: other }))).rejects.toMatchObject({
      field: 'Signature',
    });
    for (const now of ['2001-01-01', '2099-01-01']) {
      const reading = makeReader({ now: () => new Date(now) }).read(sns.post());
      await expect(reading).rejects.toMatchObject({ field: 'SigningCertURL' });
    }
  });

  it('is refused a day after its time, which its signature covers', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await expect(makeReader().read(sns.post({ Timestamp: hoursAgo(23) }))).resolves.toBeDefined();
    for (const Timestamp of [hoursAgo(25), 'yesterday'])
      await expect(makeReader().read(sns.post({ Timestamp }))).rejects.toMatchObject({ field: 'Timestamp' });
    const old = JSON.parse(sns.post({ Timestamp: hoursAgo(25) }));
    const renewed = JSON.stringify({ ...old, Timestamp: hoursAgo(0) });
    await expect(makeReader().read(renewed)).rejects.toMatchObject({ field: 'Signature' });
  });

  it('is unknown while its certificate cannot be had', async () => {
    const urls = [
      certificateAt('gone', '', 404),
      certificateAt('moved', '', 302),
      certificateAt('nonsense', 'no certificate'),
      certificateAt('large', 'x'.repeat(70_000)),
    ];
    for (const SigningCertURL of urls)
      await expect(makeReader().read(sns.post({ SigningCertURL }))).rejects.toThrow(SnsAway);
    // An agent that trusts only well-known authorities does not trust this service.
    const distrustful = new Agent({ ...sns.agent.options, ca: undefined });
    await expect(makeReader({ agent: distrustful }).read(sns.post())).rejects.toThrow(SnsAway);
  });

  it('has its certificate asked for once by all who need it', async () => {
    const reader = makeReader();
    const before = sns.asked.length;
    await Promise.all(Array.from({ length: 20 }, () => reader.read(sns.post())));
    await reader.read(sns.post());
    expect(sns.asked.slice(before)).toEqual([new URL(certificateUrl).pathname]);
  });

  it('is unknown while too many certificates are asked for', async () => {
    const reader = makeReader();
    const urls = Array.from({ length: 10 }, (_, index) => certificateAt(`many${index}`, '', 404));
    const before = sns.asked.length;
    const readings = urls.map((SigningCertURL) => reader.read(sns.post({ SigningCertURL })));
    for (const reading of await Promise.allSettled(readings))
      expect(reading).toMatchObject({ status: 'rejected', reason: expect.any(SnsAway) });
    expect(sns.asked.length - before).toBe(4);
    await reader.read(sns.post());
  });
});

describe('a subscription', () => {
  it('is confirmed by its URL', async () => {
    const reader = makeReader();
    const message = await reader.read(sns.post(confirmation as Partial<SnsMessage>));
    await reader.confirm(message as never);
    expect(sns.asked.at(-1)).toContain('Action=ConfirmSubscription');
  });

  it('is not confirmed elsewhere, and not while SNS refuses it', async () => {
    const reader = makeReader();
    const confirm = (SubscribeURL: string) =>
      reader.confirm({ ...confirmation, TopicArn: topicArn, SubscribeURL } as never);
    await expect(confirm('https://evil.example/?Action=ConfirmSubscription')).rejects.toThrow(SnsRefused);
    sns.answers.set('/', { status: 400, body: 'no' });
    await expect(confirm(subscribeUrl)).rejects.toThrow(SnsAway);
    sns.answers.delete('/');
  });
});
