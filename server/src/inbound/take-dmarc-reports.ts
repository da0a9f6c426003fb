/*
 * Takes mail to the addresses for DMARC reports (RFC 9990). A report is read in a worker thread and counted before the reply, and never
 * stored as a message. Anybody can send mail to an address that is in DNS, so only a report whose sender is verified counts. A report that
 * cannot be read gets 250, too, because its sender could do nothing about it.
 */
import type { MailTarget } from '../delivery/mail-target.ts';
import type { Deps } from '../deps.ts';
import { zoneOf } from '../domains/records/relative-name.ts';
import { type ReportedDomain, scopeOf } from '../domains/reports/find-reported-domain.ts';
import { recordReport } from '../domains/reports/record-report.ts';
import { domainOfAddress } from '../mail/authenticate/alignment.ts';
import { readSenders } from '../mail/parse/read-from.ts';
import type { DmarcReport } from '../mail/reports/read-dmarc-report.ts';
import type { EnvelopeRecipient, SmtpEnvelope, SmtpReply, SmtpSession } from '../mail/smtp/smtp-callbacks.ts';
import type { Intake } from './intake.ts';
import { loggedClient } from './note-verdicts.ts';
import { failure, logFailure } from './receive-mail.ts';

/** The place that mail to an accepted recipient goes to. */
export type MailPlace = MailTarget | ReportedDomain;

/** A mail to inboxes, to addresses for reports, or to both. */
interface ArrivedMail {
  raw: Buffer;
  session: SmtpSession;
  envelope: SmtpEnvelope<MailPlace>;
}

/** Base64 adds a third to the largest file, and the rest of such a mail is short. */
const mailBytesMax = 2_097_152;

const taken: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Ok: report taken' };
const uncertain: SmtpReply = {
  code: 451,
  enhanced: '4.7.5',
  text: 'The sender could not be verified for now, try again later',
};

/** Counts the report of a mail for the domains that it is addressed to, passes the mail on to its inboxes, and returns the reply. */
export async function takeDmarcReports(
  deps: Deps,
  intake: Pick<Intake, 'take' | 'note'>,
  { raw, session, envelope }: ArrivedMail,
): Promise<SmtpReply> {
  const inboxes = envelope.recipients.flatMap(({ address, tag }) =>
    'inboxId' in tag ? [{ address, tag }] : [],
  );
  const reported = envelope.recipients.flatMap(({ address, tag }) =>
    'inboxId' in tag ? [] : [{ address, tag }],
  );
  const mail = { raw, session, envelope: { ...envelope, recipients: inboxes } };
  if (reported.length === 0) return intake.take(mail);
  const reply = await countReport(deps, { raw, session, envelope }, reported);
  for (const { address, tag } of reported)
    intake.note(
      loggedClient(session),
      {
        verdict: reply.code < 400 ? 'accepted' : 'deferred',
        workspace_id: tag.workspaceId,
        mail_from: envelope.from,
        rcpt_to: address,
      },
      reply,
    );
  // A report that comes again is not counted again, and neither is its mail stored twice.
  if (inboxes.length === 0 || reply.code >= 400) return reply;
  const rest = await intake.take(mail);
  return rest.code < 500 ? rest : reply;
}

async function countReport(
  deps: Deps,
  mail: ArrivedMail,
  recipients: EnvelopeRecipient<ReportedDomain>[],
): Promise<SmtpReply> {
  const domains = [...new Map(recipients.map(({ tag }) => [tag.domainId, tag])).values()];
  try {
    const { remoteAddress } = mail.session;
    const ignore = (reason: string): SmtpReply => {
      deps.log.info(
        { remoteAddress, hostname: domains[0]?.hostname, reason },
        'a DMARC report was not counted',
      );
      return taken;
    };
    if (mail.raw.length > mailBytesMax) return ignore(`The mail has over ${mailBytesMax} bytes.`);
    const read = await deps.parser.readDmarcReport(
      mail.raw,
      domains.map(scopeOf),
      domains[0]?.domainId ?? '',
    );
    if ('failed' in read) {
      if (!read.isFinal) throw new Error(`A DMARC report was not read: ${read.detail}`);
      return ignore(read.detail);
    }
    if ('unread' in read) return ignore(read.unread);
    if (read.dmarc.counts.every(({ length }) => length === 0))
      return ignore('It counts no mail of the domain.');
    const reporter = await findReporter(deps, mail);
    if (reporter === 'uncertain') return uncertain;
    if (reporter === null) return ignore('Its sender is not verified.');
    await store(deps, domains, read.dmarc, reporter);
    return taken;
  } catch (error) {
    logFailure(deps, mail.session.remoteAddress, error);
    return failure(error, []);
  }
}

/** Returns the organisation that sent a mail; null if that is not proven, and `uncertain` if DNS does not answer for now. */
async function findReporter(
  deps: Deps,
  { raw, session, envelope }: ArrivedMail,
): Promise<string | 'uncertain' | null> {
  const { remoteAddress, helo } = session;
  const [from = null] = readSenders(raw, envelope.from);
  const checked = await deps.authenticator.authenticate({
    raw,
    remoteAddress,
    helo,
    envelopeFrom: envelope.from,
    from,
  });
  // Without authentication the operator trusts the network.
  if (checked === null) {
    const author = domainOfAddress(from);
    return author && zoneOf(author);
  }
  const { verified_domain, ...results } = checked.authentication;
  if (verified_domain !== null) return zoneOf(verified_domain);
  return Object.values(results).includes('temperror') ? 'uncertain' : null;
}

async function store(
  deps: Deps,
  domains: ReportedDomain[],
  { counts, ...head }: DmarcReport,
  reporter: string,
): Promise<void> {
  for (const [at, domain] of domains.entries()) {
    const own = counts[at] ?? [];
    if (own.length === 0) continue;
    const outcome = await recordReport(deps, domain, { reporter, head, counts: own });
    deps.log.info(
      { hostname: domain.hostname, reporter, reportId: head.reportId, outcome },
      'a DMARC report was received',
    );
  }
}
