import { expect, it } from 'vitest';
import { decisionsText } from '#strings/decisions.ts';
import { explainReply, nearestAddress } from './decision-story.tsx';

const { reasons } = decisionsText;
const refused = (reply: string) => explainReply({ reply, verdict: 'refused' });
const deferred = (reply: string) => explainReply({ reply, verdict: 'deferred' });

it('tells a rule from a policy of the sender by the text of the same code', () => {
  expect(refused('550 5.7.1 Recipient does not accept mail from this sender')).toBe(reasons.blockedByRule);
  expect(refused('550 5.7.1 Mail fails DMARC, and the DMARC policy of example.com is reject')).toBe(
    reasons.unauthentic,
  );
});

it('tells a full workspace from a sender that sends too much', () => {
  expect(deferred('452 4.2.2 Mailbox full, try again later')).toBe(reasons.full);
  expect(deferred('452 4.2.2 Too much mail from this sender for this mailbox, try again tomorrow')).toBe(
    reasons.senderFilledShare,
  );
});

it('knows every other reply by its code', () => {
  expect(refused('550 5.1.1 No such user here')).toBe(reasons.unknownAddress);
  expect(refused('552 5.3.4 Message size exceeds fixed maximum message size')).toBe(reasons.tooLarge);
  expect(deferred('451 4.3.0 Local error in processing, try again later')).toBe(reasons.serverBusy);
  expect(deferred('450 4.7.1 Too many messages from your address')).toBe(reasons.tooManyMessages);
});

it('goes by the verdict where it does not know the reply', () => {
  expect(refused('599 odd')).toBe(reasons.otherRefusal);
  expect(deferred('')).toBe(reasons.otherDeferral);
  expect(explainReply({ reply: '250 2.0.0 Ok', verdict: 'repeated' })).toBe(reasons.repeated);
});

const known = ['support@mail.example', 'sales@mail.example', 'ada.lovelace@mail.example'];

it('finds the address that was meant', () => {
  expect(nearestAddress('suport@mail.example', known)).toBe('support@mail.example');
  expect(nearestAddress('Sale@mail.example', known)).toBe('sales@mail.example');
  expect(nearestAddress('suport+order-17@mail.example', known)).toBe('support@mail.example');
  expect(nearestAddress('support@mial.example', known)).toBe('support@mail.example');
  expect(nearestAddress('spupotr@mail.example', ['support@mail.example'])).toBe('support@mail.example');
  expect(nearestAddress('support@other.example', known)).toBe('support@mail.example');
});

it('prefers a small difference to the same name at another domain', () => {
  expect(nearestAddress('sales@mail.exampl', ['sales@elsewhere.example', ...known])).toBe(
    'sales@mail.example',
  );
});

it('finds nothing where nothing is near', () => {
  expect(nearestAddress('billing@mail.example', known)).toBeNull();
  expect(nearestAddress('support@mail.example', known)).toBeNull();
  expect(nearestAddress('', known)).toBeNull();
  expect(nearestAddress('x', [])).toBeNull();
  expect(nearestAddress(`${'a'.repeat(300)}@mail.example`, known)).toBeNull();
});
