import { describe, expect, it } from 'vitest';
import { isCertificateUrl, isSubscribeUrl, parseSnsMessage, signedText } from './sns-message.ts';

const topic = 'arn:aws:sns:eu-west-1:123456789012:mail';
const host = 'https://sns.eu-west-1.amazonaws.com';

const notification = {
  Type: 'Notification',
  MessageId: 'b0ef50d8',
  TopicArn: topic,
  Subject: 'My subject',
  Message: 'First\nsecond',
  Timestamp: '2026-03-01T12:00:00.000Z',
  SignatureVersion: '2',
  Signature: 'c2ln',
  SigningCertURL: `${host}/SimpleNotificationService-abc.pem`,
  UnsubscribeURL: `${host}/?Action=Unsubscribe`,
};
const parse = (change: object) => parseSnsMessage(JSON.stringify({ ...notification, ...change }));

describe('the signed text of a message of SNS', () => {
  it('has the fields of a notification by their names', () => {
    const { Message, MessageId, Subject, Timestamp } = notification;
    expect(signedText(parse({})!)).toBe(
      `Message\n${Message}\nMessageId\n${MessageId}\nSubject\n${Subject}\nTimestamp\n${Timestamp}\nTopicArn\n${topic}\nType\nNotification\n`,
    );
  });

  it('leaves out a subject that there is not', () => {
    expect(signedText(parse({ Subject: undefined })!)).not.toContain('Subject');
    expect(signedText(parse({ Subject: null })!)).not.toContain('Subject');
  });

  it('has address and token of a confirmation, of either kind', () => {
    for (const Type of ['SubscriptionConfirmation', 'UnsubscribeConfirmation']) {
      const text = signedText(parse({ Type, Token: 'abc', SubscribeURL: `${host}/?x` })!);
      expect(text).toContain(
        `MessageId\nb0ef50d8\nSubscribeURL\n${host}/?x\nTimestamp\n2026-03-01T12:00:00.000Z\nToken\nabc\nTopicArn\n${topic}\nType\n${Type}\n`,
      );
    }
  });
});

describe('a body', () => {
  it.each([
    ['no JSON', '{'],
    ['no object', '7'],
    ['of another type', JSON.stringify({ ...notification, Type: 'Other' })],
    ['without a signature', JSON.stringify({ ...notification, Signature: undefined })],
    ['with a version that is not known', JSON.stringify({ ...notification, SignatureVersion: '3' })],
    [
      'of a confirmation without a token',
      JSON.stringify({ ...notification, Type: 'SubscriptionConfirmation' }),
    ],
  ])('%s is no message', (_what, body) => {
    expect(parseSnsMessage(body)).toBeNull();
  });
});

describe('the URL of a certificate', () => {
  it('is a .pem of SNS in the region, in China under its own domain', () => {
    expect(isCertificateUrl(notification.SigningCertURL, 'eu-west-1')).toBe(true);
    const chinese = 'https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-1.pem';
    expect(isCertificateUrl(chinese, 'cn-north-1')).toBe(true);
    expect(isCertificateUrl(chinese.replace('.com.cn', '.com'), 'cn-north-1')).toBe(false);
  });

  it.each([
    'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-abc.pem',
    'https://sns.eu-west-2.amazonaws.com/SimpleNotificationService-abc.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-abc.pem',
    'https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-abc.pem',
    'https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-abc.pem',
    'https://user@sns.eu-west-1.amazonaws.com/SimpleNotificationService-abc.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-abc.pem',
    'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-abc.pem?Action=x',
    'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-abc.pem#x',
    'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a/b.pem',
    'https://sns.eu-west-1.amazonaws.com/other/../bucket/abc.pem',
    'https://sns.eu-west-1.amazonaws.com/',
    'file:///etc/passwd',
    'nonsense',
    '',
  ])('is not %s', (url) => {
    expect(isCertificateUrl(url, 'eu-west-1')).toBe(false);
  });
});

describe('the URL of a confirmation', () => {
  const good = `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=abc`;

  it('confirms the subscription to the topic', () => {
    expect(isSubscribeUrl(good, 'eu-west-1', topic)).toBe(true);
  });

  it.each([
    good.replace('https', 'http'),
    good.replace('eu-west-1.amazonaws.com', 'evil.example'),
    good.replace('ConfirmSubscription', 'Unsubscribe'),
    good.replace(':mail', ':other'),
    `${good}&Action=DeleteTopic`,
    good.replace('/?', '/other?'),
    host,
  ])('is not %s', (url) => {
    expect(isSubscribeUrl(url, 'eu-west-1', topic)).toBe(false);
  });
});
