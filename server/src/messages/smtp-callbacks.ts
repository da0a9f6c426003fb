import type { Deps } from '../deps.ts';
import { findInboxByAddress, type InboxAddress } from '../inboxes/find-inbox.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import type { RcptVerdict, SmtpCallbacks, SmtpReply, SmtpSession } from '../mail/smtp-callbacks.ts';
import { createMailCollector } from './collect-mail.ts';
import type { Decision, DecisionLog } from './decision-log.ts';
import { type ReceiveAnswer, receiveMail } from './receive-mail.ts';

const unknownMailbox: SmtpReply = { code: 550, enhanced: '5.1.1', text: 'No such mailbox here' };
const badAddress: SmtpReply = { code: 553, enhanced: '5.1.3', text: 'That is not an address' };
const noRoom: ReceiveAnswer = {
  code: 452,
  enhanced: '4.3.1',
  text: 'Too much mail at once, try again later',
  receipts: [],
};

/** What the SMTP server asks: whether a recipient has an inbox here, and to take a mail. Every verdict is logged. */
export const createSmtpCallbacks = (deps: Deps, decisions: DecisionLog): SmtpCallbacks<InboxAddress> => {
  const collect = createMailCollector();
  const note = (
    session: SmtpSession,
    decision: Partial<Decision> & Pick<Decision, 'verdict'>,
    reply: SmtpReply,
  ) => {
    deps.metrics.smtpVerdicts.inc({ verdict: decision.verdict });
    decisions.add({
      at: deps.clock.now(),
      session_id: session.id,
      remote_address: session.remoteAddress,
      helo: printable(session.helo),
      reply: `${reply.code} ${reply.enhanced} ${reply.text}`,
      ...decision,
      mail_from: printable(decision.mail_from),
      rcpt_to: printable(decision.rcpt_to),
    });
  };
  return {
    onRcpt: async (session, envelopeFrom, recipient) => {
      const verdict = await decideRecipient(deps, recipient);
      if (!verdict.accept)
        note(session, { verdict: 'refused', mail_from: envelopeFrom, rcpt_to: recipient }, verdict);
      return verdict;
    },
    onData: async (session, envelope, stream) => {
      const received = await collect(stream, (raw) =>
        receiveMail(deps, {
          raw,
          envelopeFrom: envelope.from,
          recipients: envelope.recipients.map(({ address, tag }) => ({ given: address, inbox: tag })),
          helo: session.helo,
          remoteAddress: session.remoteAddress,
        }),
      );
      const answer = received ?? noRoom;
      for (const { address, tag } of envelope.recipients) {
        note(session, { mail_from: envelope.from, rcpt_to: address, ...verdictOf(answer, tag) }, answer);
      }
      return answer;
    },
    onRefused: ({ session, envelopeFrom, recipients, ...reply }) => {
      for (const recipient of recipients.length > 0 ? recipients : [null]) {
        const verdict = reply.code < 500 ? 'deferred' : 'refused';
        note(session, { verdict, mail_from: envelopeFrom, rcpt_to: recipient }, reply);
      }
    },
  };
};

/** Takes a recipient that has a live inbox here, also under a plus tag; there is no relaying. */
const decideRecipient = async (deps: Deps, recipient: string): Promise<RcptVerdict<InboxAddress>> => {
  const address = normalizeAddress(recipient);
  if (!address) return { accept: false, ...badAddress };
  const inbox = await findInboxByAddress(deps, address);
  return inbox ? { accept: true, tag: inbox } : { accept: false, ...unknownMailbox };
};

/** What the answer to a mail means for one of its inboxes. */
const verdictOf = (
  answer: ReceiveAnswer,
  inbox: InboxAddress,
): Pick<Decision, 'verdict'> & Partial<Decision> => {
  const receipt = answer.receipts.find((each) => each.inbox.inboxId === inbox.inboxId);
  const ids = {
    workspace_id: inbox.workspaceId,
    inbox_id: inbox.inboxId,
    message_id: receipt?.messageId ?? null,
  };
  if (!receipt) return { verdict: 'deferred', ...ids };
  const verdict = { stored: 'accepted', repeated: 'repeated', inbox_gone: 'refused' } as const;
  return { verdict: verdict[receipt.outcome], ...ids };
};

/** What a client sent may be anything; the log keeps what a database can hold of it. */
const printable = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : text.replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, 1_000);
