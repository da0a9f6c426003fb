/*
 * Takes mail to the addresses for DMARC reports (RFC 9990). A report is read in a worker thread and counted before the reply, and never
 * stored as a message. Anybody can send mail to an address that is in DNS, so only a report whose sender is verified counts. A report that
 * cannot be read gets 250, too, because its sender could do nothing about it.
 */
import type { Deps } from '../deps.ts';
import { registrableDomain } from '../domains/records/expected-records.ts';
import { type ReportedDomain, reportScope } from '../domains/reports/find-reported-domain.ts';
import { recordReport } from '../domains/reports/record-report.ts';
import { domainOfAddress } from '../mail/authenticate/authentication-result.ts';
import { readSenders } from '../mail/parse/read-mailboxes.ts';
import type { DmarcReport } from '../mail/reports/read-dmarc-report.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { type Arrival, failureReply, logFailure, settleReported } from './arrival.ts';
import { reportMailBytesMax } from './limits.ts';

const taken: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Ok: report accepted' };
const uncertain: SmtpReply = {
  code: 451,
  enhanced: '4.7.5',
  text: 'The sender could not be verified at the moment, try again later',
};

/**
 * Counts the report in a mail for the domains that it is addressed to. If the report must be sent again, so must the mail for inboxes; a
 * repeated report is not counted again.
 */
export async function countDmarcReport(deps: Deps, arrival: Arrival): Promise<void> {
  const domains = [...new Map(arrival.reported.map(({ domain }) => [domain.domainId, domain])).values()];
  const reply = await countFor(deps, arrival, domains);
  settleReported(arrival, reply);
  if (reply.code >= 400) arrival.recipients = [];
}

async function countFor(deps: Deps, arrival: Arrival, domains: ReportedDomain[]): Promise<SmtpReply> {
  try {
    const { raw, client } = arrival;
    const ignore = (reason: string): SmtpReply => {
      deps.log.info(
        { remoteAddress: client?.remoteAddress ?? null, hostname: domains[0]?.hostname, reason },
        'a DMARC report was not counted',
      );
      return taken;
    };
    if (raw.length > reportMailBytesMax) return ignore(`The mail has over ${reportMailBytesMax} bytes.`);
    const read = await deps.parser.readDmarcReport(raw, domains.map(reportScope), domains[0]?.domainId ?? '');
    if ('failed' in read) {
      if (!read.isFinal) throw new Error(`A DMARC report was not read: ${read.detail}`);
      return ignore(read.detail);
    }
    if ('unread' in read) return ignore(read.unread);
    if (read.dmarc.counts.every(({ length }) => length === 0))
      return ignore('It counts no mail of the domain.');
    const reporter = await findReporter(deps, arrival);
    if (reporter === 'uncertain') return uncertain;
    if (reporter === null) return ignore('Its sender is not verified.');
    await store(deps, domains, read.dmarc, reporter);
    return taken;
  } catch (error) {
    logFailure(deps, arrival, error);
    return failureReply(error);
  }
}

/** Returns the organisation that sent a mail; null if that is not proven, and `uncertain` if DNS does not answer for now. */
async function findReporter(
  deps: Deps,
  { raw, client, envelopeFrom }: Arrival,
): Promise<string | 'uncertain' | null> {
  const { remoteAddress, helo } = client ?? { remoteAddress: '', helo: null };
  const [from = null] = readSenders(raw, envelopeFrom);
  const checked = await deps.authenticator.authenticate({ raw, remoteAddress, helo, envelopeFrom, from });
  // Without authentication the operator trusts the network.
  if (checked === null) {
    const author = domainOfAddress(from);
    return author && registrableDomain(author);
  }
  const { verified_domain, ...results } = checked.authentication;
  if (verified_domain !== null) return registrableDomain(verified_domain);
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
