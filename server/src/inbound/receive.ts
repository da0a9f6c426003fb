/*
 * How a mail comes in, by SMTP, from Amazon SES, or from another inbox of this server: one step after another, each of which may settle
 * recipients with a reply. The steps after it see the others. What a reply of 250 says is durable by then.
 */
import { ingestReport } from '../delivery/ingest-report.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { ownAttributes } from '../lib/tracing.ts';
import { readSenders } from '../mail/parse/read-mailboxes.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { decideSenders, findInboundRules } from '../rules/decide-rule.ts';
import { type Arrival, answer, defer, groupByInbox, inboxGone, senderBlocked, settle } from './arrival.ts';
import { countDmarcReport } from './dmarc-report.ts';
import type { Intake } from './intake.ts';
import { directMailsMax } from './limits.ts';
import { noteMail } from './mail-shares.ts';
import { acknowledgement, type SpooledEnvelope } from './spool/spool-mail.ts';
import { readMail, refuseForged, refuseUnauthentic, storeInInboxes } from './store-mail.ts';
import { noteSettled, printable } from './verdicts.ts';

/**
 * Takes a mail in, notes the verdict for each recipient, and returns the reply to its sender. Mail that never left this server has no
 * intake: it is no report, is stored at once, and has no verdicts.
 */
export function receive(deps: Deps, arrival: Arrival, intake: Intake | null): Promise<SmtpReply> {
  const { raw, client } = arrival;
  const attributes = {
    'messaging.system': 'email',
    'messaging.operation.name': 'receive',
    'messaging.message.envelope.size': raw.length,
  };
  return deps.tracing.trace(
    'receive mail',
    { kind: 'consumer', parent: client?.traceparent, attributes },
    async (span) => {
      const reply = await takeSteps(deps, arrival, intake);
      span.add({ [ownAttributes.reply]: reply.code });
      if (reply.code >= 400) span.fail(reply.enhanced);
      return reply;
    },
  );
}

async function takeSteps(deps: Deps, arrival: Arrival, intake: Intake | null): Promise<SmtpReply> {
  try {
    if (intake) await recordReports(deps, arrival);
    deferWithoutRoom(arrival);
    await screenAuthors(deps, arrival);
    refuseBlocked(arrival);
    if (intake && isSpooled(deps, arrival, intake)) await spool(deps, arrival, intake);
    else await store(deps, arrival, intake);
  } catch (error) {
    defer(deps, arrival, error);
  }
  if (intake) noteSettled(intake.note, arrival);
  return arrival.reply;
}

/** Counts a DMARC report for the domains that it is addressed to, and records the reports of a mail on sent messages. */
async function recordReports(deps: Deps, arrival: Arrival): Promise<void> {
  if (arrival.reported.length > 0) await countDmarcReport(deps, arrival);
  await recordDeliveryReport(deps, arrival);
}

const recorded: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Ok: report recorded' };

/** Settles the recipients that a report on a delivery was for. A report stays recorded even if its sender has to try again for others. */
async function recordDeliveryReport(deps: Deps, arrival: Arrival): Promise<void> {
  if (!mayReport(arrival)) return;
  const recipients = arrival.recipients.map(({ given, inbox }) => ({ address: given, tag: inbox }));
  const envelope = { from: arrival.envelopeFrom, recipients, smtpUtf8: false };
  const done = new Set(await ingestReport(deps, arrival.raw, envelope));
  if (done.size === 0) return;
  for (const { address: given, tag } of done)
    arrival.settled.push({
      given,
      owner: tag,
      messageId: tag.reportsOn?.messageId ?? null,
      verdict: null,
      reply: null,
    });
  arrival.recipients = arrival.recipients.filter((_, index) => !done.has(recipients[index]!));
  answer(arrival, recorded);
}

/** Returns whether a mail may be a report that counts, by its envelope. */
function mayReport({ envelopeFrom, recipients }: Arrival): boolean {
  return recipients.some(({ inbox }) => envelopeFrom === '' || inbox.reportsOn);
}

/** Defers a mail that turned out to be no report, if one of its return paths has room for reports alone. */
function deferWithoutRoom(arrival: Arrival): void {
  const deferral = arrival.recipients.find(({ inbox }) => inbox.deferral)?.inbox.deferral;
  if (deferral) settle(arrival, arrival.recipients, deferral);
}

/**
 * Applies the rules of each recipient to the author of the mail, who is known once its header is. They were applied to the envelope sender
 * at RCPT. A workspace without inbound rules costs nothing here. For others the From is read from the raw header, because mail that
 * arrives fast is acknowledged before it is parsed. If an allow and a block both match, the allow counts unless the mail fails DMARC, which
 * is known once the mail is read.
 */
async function screenAuthors(
  deps: Pick<Deps, 'db' | 'memory'>,
  { raw, envelopeFrom, recipients }: Arrival,
): Promise<void> {
  const screened = recipients.filter(({ inbox }) => inbox.hasInboundRules);
  if (screened.length === 0) return;
  const senders = readSenders(raw, envelopeFrom);
  const workspaces = Map.groupBy(screened, ({ inbox }) => inbox.workspaceId);
  await Promise.all(
    [...workspaces].map(async ([workspaceId, those]) => {
      const rules = await findInboundRules(deps, { workspaceId, senders });
      for (const recipient of those) recipient.verdict = decideSenders(rules, senders);
    }),
  );
}

/** Refuses the mail for recipients whose rules block its author. */
function refuseBlocked(arrival: Arrival): void {
  const blocked = arrival.recipients.filter(({ verdict }) => verdict === 'block');
  settle(arrival, blocked, senderBlocked);
}

/**
 * Returns whether a mail is spooled, because mail arrives faster than it is filed. It is not if its reply depends on its content, since
 * mail of the spool is read after its reply.
 */
function isSpooled({ config }: Deps, { recipients }: Arrival, intake: Intake): boolean {
  if (config.dmarcReject || recipients.some(({ verdict }) => verdict === 'unverified')) return false;
  return intake.backlog.busy || intake.direct.countOf('') >= directMailsMax;
}

/** Makes the mail durable, and leaves it to the backlog, which records its verdicts. */
async function spool(deps: Deps, arrival: Arrival, { backlog, spool: keep }: Intake): Promise<void> {
  const { raw, recipients, envelopeFrom, client } = arrival;
  if (recipients.length === 0) return;
  await backlog.room(recipients[0]?.inbox.inboxId);
  const envelope = spooledEnvelope(deps, arrival);
  if (!(await keep({ raw, envelope }))) return settle(arrival, recipients, inboxGone);
  const sender = { envelopeFrom, remoteAddress: client?.remoteAddress ?? null };
  for (const { inbox_id } of envelope.targets) noteMail(deps, inbox_id, sender, raw.length);
  backlog.add(envelope, raw);
  arrival.recipients = [];
  answer(arrival, acknowledgement(envelope));
}

/** Assigns the ids of the messages now, so that filing a mail twice makes one message. */
function spooledEnvelope(deps: Deps, { raw, recipients, envelopeFrom, client }: Arrival): SpooledEnvelope {
  const at = deps.clock.now();
  const traceparent = deps.tracing.current();
  const targets = groupByInbox(recipients).map(({ inbox, given }) => ({
    workspace_id: inbox.workspaceId,
    inbox_id: inbox.inboxId,
    message_id: newId('msg', at),
    given,
    ...(traceparent !== null && { traceparent }),
  }));
  return {
    id: targets[0]?.message_id ?? newId('msg', at),
    at,
    session_id: client?.id ?? '',
    remote_address: client?.remoteAddress ?? '',
    helo: printable(client?.helo),
    envelope_from: envelopeFrom,
    size_bytes: raw.length,
    targets,
  };
}

/** Parses the mail, refuses it if its claims are false, and stores it in the remaining inboxes. */
async function store(deps: Deps, arrival: Arrival, intake: Intake | null): Promise<void> {
  if (arrival.recipients.length === 0) return;
  const release = intake?.direct.hold('', 1);
  try {
    const mail = await readMail(deps, arrival);
    refuseUnauthentic(deps, arrival, mail);
    refuseForged(arrival, mail);
    await storeInInboxes(deps, arrival, mail);
  } finally {
    release?.();
  }
}
