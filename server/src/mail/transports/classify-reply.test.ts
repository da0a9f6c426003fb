import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyReply, parseReply, type ReplyStage } from './classify-reply.ts';

function judge(raw: string, stage: ReplyStage): string {
  const reply = parseReply(raw);
  if (reply === null) throw new Error(`This is no reply: ${raw}`);
  const verdict = classifyReply(reply, stage);
  return verdict.kind === 'rejected' ? `rejected ${verdict.scope}` : `deferred ${verdict.cause}`;
}

const table: [ReplyStage, string, string][] = [
  // The session: whatever the code, the relay refuses us.
  ['session', '554 5.7.1 No SMTP service here', 'deferred relay'],
  ['session', '535 5.7.8 Authentication credentials invalid', 'deferred relay'],
  ['session', '421 4.3.2 Too many connections', 'deferred relay'],
  // MAIL: the sender or the message, never the recipient.
  ['mail', '550 5.1.8 Sender domain does not exist', 'rejected message'],
  ['mail', '501 5.1.7 Bad sender address syntax', 'rejected message'],
  ['mail', '552 5.3.4 Message size exceeds fixed limit', 'rejected message'],
  ['mail', '550 5.1.1 User unknown', 'rejected message'],
  ['mail', '555 5.5.4 Unsupported option: SMTPUTF8', 'rejected message'],
  ['mail', '451 4.3.0 Queue file write error', 'deferred relay'],
  ['mail', '452 4.3.1 Insufficient system storage', 'deferred relay'],
  ['mail', '530 5.7.0 Must issue a STARTTLS command first', 'deferred relay'],
  ['mail', '503 5.5.1 Nested MAIL command', 'deferred relay'],
  // RCPT: the recipient, unless the code or the text says otherwise.
  ['rcpt', '550 No such user here', 'rejected recipient'],
  ['rcpt', '550 5.1.1 The email account that you tried to reach does not exist.', 'rejected recipient'],
  ['rcpt', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'rejected recipient'],
  ['rcpt', '550 5.1.351 Remote server returned unknown recipient', 'rejected recipient'],
  ['rcpt', '556 5.1.10 Recipient address has null MX', 'rejected recipient'],
  ['rcpt', '552 5.2.2 Mailbox full', 'rejected recipient'],
  ['rcpt', '550-5.2.1 The email account that you tried to reach is disabled.', 'rejected recipient'],
  ['rcpt', '550 5.4.1 Recipient address rejected: Access denied', 'rejected recipient'],
  ['rcpt', '550 5.5.0 Requested action not taken: mailbox unavailable', 'rejected recipient'],
  ['rcpt', '553 sorry, that domain is not in my list of allowed rcpthosts', 'rejected recipient'],
  ['rcpt', '550 5.7.1 <a@b.test>: Recipient address rejected: User unknown', 'rejected recipient'],
  ['rcpt', '550 5.7.1 Blocked by the recipient', 'rejected message'],
  [
    'rcpt',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.test',
    'rejected message',
  ],
  ['rcpt', '554 Service unavailable; Client host [192.0.2.1] blocked', 'rejected message'],
  [
    'rcpt',
    '550 5.7.25 <a@b.test>: Recipient address rejected: Reverse DNS validation failed',
    'rejected message',
  ],
  ['rcpt', '550-5.1.0 MXIN506 MailFrom domain is listed in Spamhaus', 'rejected message'],
  ['rcpt', '550 5.1.8 Sender domain does not exist', 'rejected message'],
  ['rcpt', '552 5.2.3 Message length exceeds limit set by recipient', 'rejected message'],
  ['rcpt', '552 5.3.4 Message too big for system', 'rejected message'],
  ['rcpt', '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required', 'rejected message'],
  ['rcpt', '554 5.7.1 <a@b.test>: Relay access denied', 'deferred relay'],
  ['rcpt', '454 4.7.1 <a@b.test>: Relay access denied', 'deferred relay'],
  ['rcpt', '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain', 'deferred relay'],
  ['rcpt', '530 5.7.1 Authentication required', 'deferred relay'],
  ['rcpt', '504 5.5.2 <me>: Helo command rejected: need fully-qualified hostname', 'deferred relay'],
  ['rcpt', '421 4.7.0 Error: too many errors', 'deferred relay'],
  ['rcpt', '450 4.2.1 Mailbox busy', 'deferred recipient'],
  ['rcpt', '451 4.7.1 Greylisted, try again', 'deferred recipient'],
  ['rcpt', '452 4.2.2 Mailbox full', 'deferred recipient'],
  // After DATA: the message, unless the code is about a mailbox.
  ['data', '554 5.7.1 Message content rejected', 'rejected message'],
  ['data', '550 5.7.26 Unauthenticated email from b.test is not accepted', 'rejected message'],
  ['data', '554 Transaction failed', 'rejected message'],
  ['data', '550 Requested action not taken: mailbox unavailable', 'rejected message'],
  ['data', '552 5.6.0 Headers too large', 'rejected message'],
  ['data', '554 5.4.6 Too many hops', 'rejected message'],
  ['data', '552 5.3.4 Message too big', 'rejected message'],
  ['data', '554 Message rejected: address is not verified', 'rejected message'],
  ['data', '550 5.1.1 User unknown', 'rejected recipient'],
  ['data', '552 5.2.2 Over quota', 'rejected recipient'],
  ['data', '554 delivery error: This user does not exist', 'rejected recipient'],
  ['data', '451 4.3.0 Try again later', 'deferred recipient'],
  ['data', '421 4.3.2 Shutting down', 'deferred relay'],
  ['data', '503 5.5.1 Bad sequence of commands', 'deferred relay'],
];

describe('a refusing reply', () => {
  for (const [stage, raw, verdict] of table)
    it(`${verdict}: ${stage} ${raw}`, () => {
      expect(judge(raw, stage)).toBe(verdict);
    });

  it('keeps its codes and its text on one line', () => {
    const reply = parseReply(
      '550-5.1.1 The account does not exist.\r\n550-5.1.1 Check it,\r\n550 5.1.1 please.',
    );
    expect(reply).toEqual({
      code: 550,
      enhanced: '5.1.1',
      text: '550 5.1.1 The account does not exist. Check it, please.',
    });
    expect(parseReply('550')).toEqual({ code: 550, enhanced: null, text: '550' });
    expect(parseReply('550 5.1.1')).toEqual({ code: 550, enhanced: '5.1.1', text: '550 5.1.1' });
    expect(parseReply(`554 ${'x'.repeat(5_000)}`)?.text).toHaveLength(500);
  });

  it('that is none is not taken for one', () => {
    for (const raw of ['', 'hello', '99', '55', '5500 no', '150 x']) expect(parseReply(raw)).toBeNull();
  });

  it('is never judged permanent for a 4xx, and never throws on any text', () => {
    const stages = fc.constantFrom<ReplyStage>('session', 'mail', 'rcpt', 'data');
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.string(), stages, (code, text, stage) => {
        const verdict = judge(`${code} ${text}`, stage);
        if (code < 500 || stage === 'session') expect(verdict).toMatch(/^deferred/);
        if (stage === 'mail') expect(verdict).not.toMatch(/recipient/);
      }),
    );
  });
});
