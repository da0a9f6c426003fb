import { ingestReport, mayCount } from '../delivery/ingest-report.ts';
import type { MailTarget } from '../delivery/mail-target.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import type { EnvelopeRecipient, SmtpEnvelope, SmtpReply, SmtpSession } from '../mail/smtp/smtp-callbacks.ts';
import { openDecisionLog } from './decision-log.ts';
import { noteMail } from './mail-shares.ts';
import {
  createVerdictNotes,
  loggedClient,
  type NoteVerdict,
  printable,
  type Verdict,
  verdictOf,
} from './note-verdicts.ts';
import {
  blockedReceipt,
  byInbox,
  failure,
  inboxGone,
  logFailure,
  type Receipt,
  type ReceiveAnswer,
  receiveMail,
} from './receive-mail.ts';
import { type Recipient, type ScreenedRecipient, screenMail, senderBlocked } from './screen-mail.ts';
import { IngestBacklog } from './spool/ingest-backlog.ts';
import { startSpoolRecovery } from './spool/recover-spooled.ts';
import { createSpool, type SpooledEnvelope } from './spool/spool-mail.ts';

/** A mail with everything that the SMTP server knows about it. */
export interface IncomingMail {
  raw: Buffer;
  session: SmtpSession;
  envelope: SmtpEnvelope<MailTarget>;
}

/** A mail with the recipients that may take it. */
interface ScreenedMail extends IncomingMail {
  recipients: ScreenedRecipient[];
}

/** Takes mail from SMTP into inboxes. */
export interface Intake {
  /** Takes a mail, notes the verdict for each recipient and returns the SMTP reply. */
  take(mail: IncomingMail): Promise<SmtpReply>;
  note: NoteVerdict;
  /** Finishes what it can within `graceMs`. The next start finds acknowledged mail that is left. */
  close(graceMs: number): Promise<void>;
}

/** How many mails may be stored directly at once. */
const directMax = 4;

/**
 * Opens the intake. While mail arrives no faster than it is filed, a mail can be read by the time of its 250. When it arrives faster,
 * it is durable by then and can be read a moment later.
 */
export function openIntake(deps: Deps): Intake {
  const decisions = openDecisionLog(deps);
  const note = createVerdictNotes(deps, decisions);
  const backlog = new IngestBacklog(deps, (envelope, receipts) => noteStored(note, envelope, receipts));
  const takeBySpool = createSpoolWay(deps, backlog);
  const stopRecovery = startSpoolRecovery(deps, backlog);
  let direct = 0;
  const takeDirectly = ({ raw, session, envelope, recipients }: ScreenedMail): Promise<ReceiveAnswer> => {
    direct += 1;
    const { helo, remoteAddress } = session;
    const arrival = { raw, envelopeFrom: envelope.from, recipients, helo, remoteAddress };
    return receiveMail(deps, arrival).finally(() => {
      direct -= 1;
    });
  };
  const takeScreened = async (mail: ScreenedMail): Promise<SmtpReply> => {
    const isBehind = backlog.busy || direct >= directMax;
    // The reply depends on the content of the mail, and mail of the spool is read after its reply.
    const isOpen = deps.config.dmarcReject || mail.recipients.some(({ verdict }) => verdict === 'unverified');
    const answer = isBehind && !isOpen ? await takeBySpool(mail) : await takeDirectly(mail);
    if (answer.receipts !== 'later') noteAnswer(note, mail, { ...answer, receipts: answer.receipts });
    return answer;
  };
  const takeMail = async (mail: IncomingMail): Promise<SmtpReply> => {
    const deferral = mail.envelope.recipients.find(({ tag }) => tag.deferral)?.tag.deferral;
    if (deferral) {
      noteAnswer(note, { ...mail, recipients: recipientsOf(mail.envelope) }, { ...deferral, receipts: [] });
      return deferral;
    }
    const screened = await screen(deps, mail);
    if ('code' in screened) {
      noteAnswer(note, { ...mail, recipients: recipientsOf(mail.envelope) }, screened);
      return screened;
    }
    const blocked = screened.filter(({ verdict }) => verdict === 'block');
    const recipients = screened.filter(({ verdict }) => verdict !== 'block');
    const receipts = byInbox(blocked).map(blockedReceipt);
    noteAnswer(note, { ...mail, recipients: blocked }, { ...senderBlocked, receipts });
    return recipients.length > 0 ? takeScreened({ ...mail, recipients }) : senderBlocked;
  };
  return {
    note,
    take: (mail) => (mayCount(mail.envelope) ? takeReported(deps, note, mail, takeMail) : takeMail(mail)),
    close: async (graceMs) => {
      // The recovery may be waiting for room.
      await Promise.all([stopRecovery(), backlog.close(graceMs)]);
      await decisions.close();
    },
  };
}

/** A mail that may be a report is recorded before the reply. For its other recipients it is mail. */
async function takeReported(
  deps: Deps,
  note: NoteVerdict,
  mail: IncomingMail,
  takeMail: Intake['take'],
): Promise<SmtpReply> {
  const { raw, session, envelope } = mail;
  try {
    const settled = await ingestReport(deps, raw, envelope);
    if (settled.length === 0) return await takeMail(mail);
    const recipients = envelope.recipients.filter((recipient) => !settled.includes(recipient));
    const rest =
      recipients.length > 0 ? await takeMail({ ...mail, envelope: { ...envelope, recipients } }) : reported;
    const answer = rest.code < 500 ? rest : reported;
    for (const { address, tag } of settled)
      note(loggedClient(session), reportVerdict(envelope.from, { address, tag }, answer), answer);
    return answer;
  } catch (error) {
    logFailure(deps, session.remoteAddress, error);
    const answer = failure(error, []);
    noteAnswer(note, { ...mail, recipients: recipientsOf(envelope) }, answer);
    return answer;
  }
}

const reported: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Ok: report recorded' };

/** A report stays recorded even if its sender has to try again for the other recipients. */
function reportVerdict(
  from: string,
  { address, tag }: EnvelopeRecipient<MailTarget>,
  { code }: SmtpReply,
): Verdict {
  const { workspaceId, inboxId, reportsOn } = tag;
  return {
    verdict: code < 400 ? 'accepted' : 'deferred',
    workspace_id: workspaceId,
    inbox_id: inboxId,
    message_id: reportsOn?.messageId ?? null,
    mail_from: from,
    rcpt_to: address,
  };
}

/** Spools mail that arrives faster than it is filed. Its verdict is noted once it is known. */
function createSpoolWay(deps: Deps, backlog: IngestBacklog) {
  const spool = createSpool(deps);
  return async (mail: ScreenedMail): Promise<ReceiveAnswer | (SmtpReply & { receipts: 'later' })> => {
    await backlog.room(mail.recipients[0]?.inbox.inboxId);
    const spooled = { raw: mail.raw, envelope: envelopeOf(deps, mail) };
    try {
      if (!(await spool(spooled))) return inboxGone;
      const { remoteAddress } = mail.session;
      for (const { inbox_id } of spooled.envelope.targets)
        noteMail(deps, inbox_id, { envelopeFrom: mail.envelope.from, remoteAddress }, mail.raw.length);
      backlog.add(spooled.envelope, spooled.raw);
      return { ...acknowledged(spooled.envelope), receipts: 'later' };
    } catch (error) {
      logFailure(deps, mail.session.remoteAddress, error);
      return failure(error, []);
    }
  };
}

/** Returns the recipients with the verdict of their inbound rules, or the reply if the rules cannot be read. */
async function screen(deps: Deps, mail: IncomingMail): Promise<ScreenedRecipient[] | ReceiveAnswer> {
  const { raw, session, envelope } = mail;
  try {
    return await screenMail(deps, { raw, envelopeFrom: envelope.from }, recipientsOf(envelope));
  } catch (error) {
    logFailure(deps, session.remoteAddress, error);
    return failure(error, []);
  }
}

/** Notes the verdict on a mail for each recipient. A recipient that blocks the sender is noted as such, whatever the reply was. */
function noteAnswer(
  note: NoteVerdict,
  { session, envelope, recipients }: Omit<IncomingMail, 'raw'> & { recipients: Recipient[] },
  answer: ReceiveAnswer,
): void {
  for (const { given, inbox } of recipients) {
    const isBlocked = answer.receipts.some(
      (receipt) => receipt.outcome === 'blocked' && receipt.inbox.inboxId === inbox.inboxId,
    );
    const verdict = { mail_from: envelope.from, rcpt_to: given, ...verdictOf(answer.receipts, inbox) };
    note(loggedClient(session), verdict, isBlocked ? senderBlocked : answer);
  }
}

function noteStored(note: NoteVerdict, envelope: SpooledEnvelope, receipts: Receipt[]): void {
  for (const { workspace_id, inbox_id, given } of envelope.targets) {
    const verdict = verdictOf(receipts, { workspaceId: workspace_id, inboxId: inbox_id });
    for (const rcpt_to of given)
      note(envelope, { ...verdict, mail_from: envelope.envelope_from, rcpt_to }, acknowledged(envelope));
  }
}

function recipientsOf({ recipients }: IncomingMail['envelope']): Recipient[] {
  return recipients.map(({ address, tag }) => ({ given: address, inbox: tag }));
}

function acknowledged({ id }: SpooledEnvelope) {
  return { code: 250, enhanced: '2.0.0', text: `Ok: ${id}` };
}

/** Assigns the ids of the messages now, so that filing a mail twice makes one message. */
function envelopeOf(deps: Deps, { raw, session, envelope, recipients }: ScreenedMail): SpooledEnvelope {
  const at = deps.clock.now();
  const targets = byInbox(recipients).map(({ inbox, given }) => ({
    workspace_id: inbox.workspaceId,
    inbox_id: inbox.inboxId,
    message_id: newId('msg', at),
    given,
  }));
  return {
    id: targets[0]?.message_id ?? newId('msg', at),
    at,
    ...loggedClient(session),
    helo: printable(session.helo),
    envelope_from: envelope.from,
    size_bytes: raw.length,
    targets,
  };
}
