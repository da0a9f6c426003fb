import type { OutgoingMail } from '../../src/mail/compose/compose-mail.ts';

/** A plain message that composing is tested with, changed where a test says so. */
export const plainMail: OutgoingMail = {
  from: { name: 'Agent', address: 'agent@sender.test' },
  to: ['bob@example.test'],
  subject: 'Hello',
  text: 'Hi Bob',
  messageId: '<0190-abc@sender.test>',
  date: new Date('2026-11-20T12:34:56.789Z'),
};
