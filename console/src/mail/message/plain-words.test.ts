import type { DeliveryStatus, Message } from 'postrider';
import { expect, test } from 'vitest';
import { messageText } from '#strings/message.ts';
import { isOfApproval, proveSender, recipientWord, statusText, tellStory } from './plain-words.ts';

const { story: text } = messageText;
const sent = { created_at: '2026-11-28T12:00:00.000Z' };

function lastStep(status: DeliveryStatus, detail: string | null, sandboxed = false) {
  const recipient = {
    address: 'ada@x.example',
    status,
    detail,
    sandboxed,
    updated_at: '2026-11-28T12:00:05.000Z',
  };
  return tellStory(sent, recipient).at(-1);
}

test('the story begins when the message was handed over, and ends with the last news', () => {
  const steps = tellStory(sent, {
    address: 'ada@x.example',
    status: 'delivered',
    detail: '250 2.0.0 OK',
    sandboxed: false,
    updated_at: '2026-11-28T12:00:05.000Z',
  });
  expect(steps.map(({ at }) => at)).toEqual([sent.created_at, '2026-11-28T12:00:05.000Z']);
  expect(steps.map(({ said }) => said)).toEqual([null, '250 2.0.0 OK']);
});

test('a failure says why in plain words, and keeps what the server said', () => {
  expect(lastStep('failed', 'expired: connect ECONNREFUSED')).toMatchObject({
    sentence: text.expired,
    said: 'connect ECONNREFUSED',
  });
  expect(lastStep('failed', 'unconfirmed: the relay closed')).toMatchObject({ sentence: text.unconfirmed });
  expect(lastStep('failed', 'something else')).toMatchObject({
    sentence: text.states.failed,
    said: 'something else',
  });
  expect(lastStep('failed', null)).toMatchObject({ sentence: text.states.failed, said: null });
});

test('what the sandbox kept is not said to be with the recipient', () => {
  expect(lastStep('sent', 'sandbox: not sent', true)).toMatchObject({ sentence: text.sandboxed, said: null });
  expect(lastStep('sent', 'sandbox: not sent')).toMatchObject({ sentence: text.states.sent });
});

test('only failures have a reason in their first word', () => {
  expect(lastStep('bounced', 'expired: mailbox')).toMatchObject({
    sentence: text.states.bounced,
    said: 'expired: mailbox',
  });
});

test('a message that people did not approve is not said to be refused by a server', () => {
  const at = { address: 'ada@x.example', sandboxed: false, updated_at: '2026-11-28T12:00:05.000Z' };
  const refused = { ...at, status: 'rejected', detail: 'not_approved: Wrong tone' } as const;
  const bounced = { ...at, status: 'rejected', detail: '550 not_approved: no' } as const;
  const messageTo = (recipient: typeof refused | typeof bounced) => ({
    delivery_status: 'rejected' as const,
    recipients: [recipient],
  });
  expect(lastStep('rejected', refused.detail)).toMatchObject({ sentence: text.notApproved, said: null });
  expect(tellStory(sent, refused)[0]).toMatchObject({ sentence: text.held });
  expect(tellStory(sent, bounced)[0]).toMatchObject({ sentence: text.sent });
  expect([recipientWord(refused), statusText(messageTo(refused))]).toEqual(['Not approved', 'Not approved']);
  expect([recipientWord(bounced), statusText(messageTo(bounced))]).toEqual(['Rejected', 'Rejected']);
  expect([isOfApproval(messageTo(refused)), isOfApproval(messageTo(bounced))]).toEqual([true, false]);
  expect(isOfApproval({ delivery_status: 'held', recipients: [] })).toBe(true);
});

function proofLevel(authentication: Message['authentication']) {
  return proveSender({ authentication, from_addr: 'ada@example.com' })?.level;
}

test('only a verified domain is a proof', () => {
  const checks = { spf: 'pass', dkim: 'pass', dmarc: 'none' } as const;
  expect(proofLevel({ ...checks, verified_domain: null })).toBe('unproven');
  expect(proofLevel({ ...checks, dmarc: 'pass', verified_domain: 'example.com' })).toBe('proven');
});

test('mail that fails the policy of its domain may be forged, and the domain is named', () => {
  const authentication = { spf: 'fail', dkim: 'none', dmarc: 'fail', verified_domain: null } as const;
  const proof = proveSender({ authentication, from_addr: 'ada@example.com' });
  expect(proof?.level).toBe('forged');
  expect(proof?.help).toMatch(/^example\.com /);
});

test('sent mail needs no proof', () => {
  expect(proofLevel(null)).toBeUndefined();
});
