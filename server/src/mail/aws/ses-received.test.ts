import { describe, expect, it } from 'vitest';
import { hasNullReturnPath, readSesClient, readSesReceived } from './ses-received.ts';

const id = 'd6iitobk75ur44p8kdnnp7g2n800';
const notice = (action: object, more: object = {}) =>
  JSON.stringify({
    notificationType: 'Received',
    receipt: {
      timestamp: '2026-03-01T12:00:00.000Z',
      processingTimeMillis: 222,
      recipients: ['agent@mail.example'],
      spamVerdict: { status: 'PASS' },
      spfVerdict: { status: 'PASS' },
      action,
    },
    mail: {
      timestamp: '2026-03-01T12:00:00.000Z',
      source: 'ada@remote.example',
      messageId: id,
      destination: ['agent@mail.example', 'other@elsewhere.example'],
      headersTruncated: false,
    },
    ...more,
  });
const stored = {
  type: 'S3',
  topicArn: 'arn:aws:sns:eu-west-1:1:mail',
  bucketName: 'in',
  objectKey: `mail/${id}`,
};

describe('a notification of a received mail', () => {
  it('names the object, the sender and the recipients of the rule only', () => {
    expect(readSesReceived(notice(stored))).toEqual({
      id,
      envelopeFrom: 'ada@remote.example',
      recipients: ['agent@mail.example'],
      content: { bucket: 'in', key: `mail/${id}` },
    });
  });

  it('of the action SNS has the mail, in either encoding', () => {
    const mail = 'From: ada@remote.example\r\n\r\nGrüße\r\n';
    const encoded = Buffer.from(mail).toString('base64');
    for (const [action, content] of [
      [{ type: 'SNS', encoding: 'UTF8' }, mail],
      [{ type: 'SNS', encoding: 'BASE64' }, encoded],
      [{ type: 'SNS' }, mail],
      [{ type: 'SNS' }, encoded],
    ] as const)
      expect(readSesReceived(notice(action, { content }))?.content).toEqual({ raw: Buffer.from(mail) });
  });

  it('of another action has nothing to take', () => {
    expect(readSesReceived(notice({ type: 'Lambda' }))?.content).toBeNull();
  });

  it.each([undefined, null, '', '<>'])('from %j has the null sender', (source) => {
    const { mail, ...rest } = JSON.parse(notice(stored));
    expect(readSesReceived(JSON.stringify({ ...rest, mail: { ...mail, source } }))?.envelopeFrom).toBe('');
  });

  it.each([
    ['a bounce', notice(stored, { notificationType: 'Bounce' })],
    ['a sentence', 'Successfully validated SNS topic.'],
    ['one without recipients', notice(stored, { receipt: { recipients: [], action: stored } })],
    ['one without an id', notice(stored, { mail: { source: 'a@b.example' } })],
  ])('is not %s', (_what, json) => {
    expect(readSesReceived(json)).toBeNull();
  });
});

describe('the client that gave a mail to SES', () => {
  const makeClient = (...received: string[]) =>
    readSesClient(
      Buffer.from(`${received.map((line) => `Received: ${line}\r\n`).join('')}\r\n`),
      id,
      'eu-west-1',
    );
  const by = `by inbound-smtp.eu-west-1.amazonaws.com with SMTP id ${id} for agent@mail.example; Sun, 1 Mar 2026`;
  const ses = { address: 'inbound-smtp.eu-west-1.amazonaws.com', helo: null };

  it.each([
    [`from mx.remote.example (mx.remote.example [192.0.2.7]) ${by}`, '192.0.2.7', 'mx.remote.example'],
    [`from mx.remote.example (mx.remote.example [192.0.2.7])\r\n ${by}`, '192.0.2.7', 'mx.remote.example'],
    [`from mx.remote.example [192.0.2.7]) ${by}`, '192.0.2.7', 'mx.remote.example'],
    [`from [198.51.100.1] (unknown [192.0.2.7]) ${by}`, '192.0.2.7', '[198.51.100.1]'],
    [`from a.example (a.example [IPv6:2001:db8::7]) ${by}`, '2001:db8::7', 'a.example'],
  ])('is in the first Received field: %s', (line, address, helo) => {
    expect(makeClient(line, `from forged (forged [203.0.113.9]) ${by}`)).toEqual({ address, helo });
  });

  it.each([
    ['of another server', `from a (a [192.0.2.7]) by mx.evil.example with SMTP id ${id} for b; x`],
    ['of another mail', `from a (a [192.0.2.7]) ${by.replace(id, 'other')}`],
    ['in words', 'from a machine of mine'],
  ])('is unknown if that field is %s, whatever follows', (_what, line) => {
    expect(makeClient(line, `from forged (forged [203.0.113.9]) ${by}`)).toEqual(ses);
    expect(makeClient()).toEqual(ses);
  });
});

it('the null sender is the one that SES wrote at the top', () => {
  expect(hasNullReturnPath(Buffer.from('Return-Path: <>\r\nSubject: x\r\n\r\n'))).toBe(true);
  expect(hasNullReturnPath(Buffer.from('Return-Path: <a@b.example>\r\n\r\n'))).toBe(false);
  expect(hasNullReturnPath(Buffer.from('Subject: x\r\nReturn-Path: <>\r\n\r\n'))).toBe(false);
});
