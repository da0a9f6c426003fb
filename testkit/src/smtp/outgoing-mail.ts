import type { OutgoingMail } from '../../../server/src/mail/compose/compose-mail.ts';

/** A plain message for tests of composing, which they change as needed. */
export const plainMail: OutgoingMail = {
  from: { name: 'Agent', address: 'agent@sender.test' },
  to: ['bob@example.test'],
  subject: 'Hello',
  text: 'Hi Bob',
  messageId: '<0190-abc@sender.test>',
  date: new Date('2026-11-20T12:34:56.789Z'),
};
