import { describe, expect, it } from 'vitest';
import { readSesNotification } from './ses-notification.ts';

const mail = {
  timestamp: '2026-03-01T12:00:00.000Z',
  messageId: '0102-abc-000000',
  destination: ['a@x.example'],
};
const recipient = {
  emailAddress: 'Ada <ADA@X.example>',
  status: '5.1.1',
  action: 'failed',
  diagnosticCode: 'smtp; 550 5.1.1 No such user',
};
const ada = 'ada@x.example';

/** Reads a notification in both shapes, which must give the same. */
const read = (kind: string, rest: object) => {
  const [one, other] = ['notificationType', 'eventType'].map((name) =>
    readSesNotification(JSON.stringify({ [name]: kind, mail, ...rest })),
  );
  expect(other).toEqual(one);
  return one?.outcomes;
};
const bounce = (bounceType: string, more: object = {}, bouncedRecipients: object[] = [recipient]) =>
  read('Bounce', { bounce: { bounceType, bounceSubType: 'General', bouncedRecipients, ...more } });
const complaint = (more: object) =>
  read('Complaint', { complaint: { complainedRecipients: [{ emailAddress: 'ada@x.example' }], ...more } });

describe('a notification of SES', () => {
  it('names the message and when it was sent', () => {
    const json = JSON.stringify({ eventType: 'Send', mail, send: {} });
    expect(readSesNotification(json)).toEqual({
      providerMessageId: '0102-abc-000000',
      sentAt: new Date(mail.timestamp),
      outcomes: [],
    });
  });

  it('of a permanent bounce is a hard one, of any other a soft one', () => {
    const outcome = { kind: 'delivery', status: '5.1.1', diagnostic: '550 5.1.1 No such user' };
    expect(bounce('Permanent')).toEqual([{ address: ada, outcome: { ...outcome, result: 'hard' } }]);
    for (const type of ['Transient', 'Undetermined'])
      expect(bounce(type)).toEqual([{ address: ada, outcome: { ...outcome, result: 'soft' } }]);
  });

  it('of a bounce without a report says what kind it is', () => {
    expect(bounce('Permanent', { bounceSubType: 'Suppressed' }, [{ emailAddress: ada }])).toEqual([
      {
        address: ada,
        outcome: { kind: 'delivery', result: 'hard', status: null, diagnostic: 'Permanent/Suppressed' },
      },
    ]);
  });

  it('of a complaint names its type, where it has one', () => {
    expect(complaint({ complaintFeedbackType: 'abuse' })).toEqual([
      { address: ada, outcome: { kind: 'complaint', feedbackType: 'abuse' } },
    ]);
    expect(complaint({})).toEqual([{ address: ada, outcome: { kind: 'complaint', feedbackType: null } }]);
  });

  it.each(['not-spam', 'auth-failure'])('of feedback of type %s is no complaint', (type) => {
    expect(complaint({ complaintFeedbackType: type })).toEqual([]);
  });

  it('of a delivery names those whose servers took it', () => {
    const delivery = { recipients: ['ADA@x.example', 'bob@x.example'], smtpResponse: '250 OK' };
    expect(read('Delivery', { delivery })).toEqual([
      {
        address: ada,
        outcome: { kind: 'delivery', result: 'delivered', status: null, diagnostic: '250 OK' },
      },
      {
        address: 'bob@x.example',
        outcome: { kind: 'delivery', result: 'delivered', status: null, diagnostic: '250 OK' },
      },
    ]);
  });

  it('of a delay says why', () => {
    const deliveryDelay = { delayType: 'MailboxFull', delayedRecipients: [{ emailAddress: ada }] };
    expect(read('DeliveryDelay', { deliveryDelay })).toEqual([
      {
        address: ada,
        outcome: { kind: 'delivery', result: 'delayed', status: null, diagnostic: 'MailboxFull' },
      },
    ]);
  });

  it('of a rejection is about all recipients', () => {
    expect(read('Reject', { reject: { reason: 'Bad content' } })).toEqual([
      { address: null, outcome: { kind: 'rejection', reason: 'Bad content' } },
    ]);
  });

  it.each(['Open', 'Click', 'Rendering Failure', 'Subscription', 'AmazonSnsSubscriptionSucceeded'])(
    'of kind %s says nothing of a delivery',
    (kind) => {
      expect(read(kind, {})).toEqual([]);
    },
  );

  it('has texts that can be stored and are not long', () => {
    const long = `\u0000${'x'.repeat(5_000)}`;
    const [found] = bounce('Permanent', {}, [{ emailAddress: ada, diagnosticCode: long, status: '' }]) ?? [];
    expect(found?.outcome).toMatchObject({ status: null, diagnostic: 'x'.repeat(499) });
  });

  it.each([
    ['a sentence', 'Successfully validated SNS topic for Amazon SES event publishing.'],
    ['no object', 'null'],
    ['without a message', JSON.stringify({ eventType: 'Bounce' })],
    ['a bounce without recipients', JSON.stringify({ eventType: 'Bounce', mail, bounce: {} })],
    ['a time that is none', JSON.stringify({ eventType: 'Send', mail: { ...mail, timestamp: 'soon' } })],
    [
      'more recipients than a message has',
      JSON.stringify({ eventType: 'Delivery', mail, delivery: { recipients: Array(101).fill(ada) } }),
    ],
  ])('is not %s', (_what, json) => {
    expect(readSesNotification(json)).toBeNull();
  });
});
