/*
 * Takes reports on outbound messages, and only their machine-readable parts. A report to a return path becomes an outcome, and nothing
 * else of it is kept. The path is signed, so it counts from any envelope sender: some servers write an address there. A report to an
 * inbox counts with the null sender only, which any report should have (RFC 3464, section 2; RFC 5321, section 4.5.5). It may change a
 * status, but suppresses nobody, because anyone who knows a Message-ID can write one.
 */

import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { leadsBack } from '../domains/mail-domain.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import { domainOf } from '../lib/email-address.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { readReturnPath } from '../lib/signed-address.ts';
import type { MailReport } from '../mail/reports/read-report.ts';
import type { EnvelopeRecipient, SmtpEnvelope, SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import type { DeliveryChange } from './delivery-outcome.ts';
import { type RecipientKey, recordOutcome } from './recipient-state.ts';
import { decideReport, isComplaint } from './report-outcome.ts';

/**
 * Records what a mail reports, durably by the time it resolves, and returns the recipients that need nothing more. The others get it as
 * mail. Rejects if the mail cannot be read right now, or if it cannot be read at all and was sent to a return path, because it may be a
 * report.
 */
export async function ingestReport(
  deps: Deps,
  raw: Buffer,
  envelope: SmtpEnvelope<MailTarget>,
): Promise<EnvelopeRecipient<MailTarget>[]> {
  const report = await deps.parser.readReport(raw);
  if (!report) return [];
  if ('failed' in report) {
    const { failed, detail, isFinal } = report;
    // As normal mail it would be accepted, and its report would be lost.
    if (!isFinal || envelope.recipients.some(({ tag }) => tag.reportsOn))
      throw new Error(`What may be a report was not read (${failed}): ${detail}`);
    return [];
  }
  const settled: EnvelopeRecipient<MailTarget>[] = [];
  const inboxes = new Map<string, InboxAddress>();
  for (const recipient of envelope.recipients) {
    const { tag } = recipient;
    if (!tag.reportsOn) inboxes.set(tag.inboxId, tag);
    else if (await recordReport(deps, report, tag.reportsOn, true)) settled.push(recipient);
  }
  if (envelope.from === '') for (const inbox of inboxes.values()) await takeAtInbox(deps, report, inbox);
  return settled;
}

/** Returns false if the report says nothing about a delivery. A repeated or late report changes nothing. */
async function recordReport(
  deps: Deps,
  report: MailReport,
  key: RecipientKey,
  mayTrust: boolean,
): Promise<boolean> {
  const at = deps.clock.now();
  const change = decideReport(report, { recipient: key.address, at });
  if (!change) return false;
  const trusted: DeliveryChange = mayTrust ? change : { ...change, suppression: null };
  const changed = await recordOutcome(deps, key, trusted, at, null);
  const { messageId, address: recipient } = key;
  deps.log.info({ messageId, recipient, status: change.status, changed }, 'a delivery report was received');
  return true;
}

/** The writer of feedback that quotes a return path has received the message, so the feedback counts as sent to that return path. */
async function takeAtInbox(deps: Deps, report: MailReport, inbox: InboxAddress): Promise<void> {
  const shown = isComplaint(report) ? await findShown(deps, report.returnPaths, inbox) : null;
  if (shown) await recordReport(deps, report, shown, true);
  else for (const key of await findNamed(deps, report, inbox)) await recordReport(deps, report, key, false);
}

async function findShown(
  deps: Deps,
  returnPaths: string[],
  inbox: InboxAddress,
): Promise<RecipientKey | null> {
  for (const returnPath of returnPaths) {
    const found = await findReturnPath(deps, returnPath);
    if (found?.workspaceId === inbox.workspaceId) return found;
  }
  return null;
}

/** Returns the recipients that a report names, if the message that it names was sent from this inbox. */
async function findNamed(
  { db }: Deps,
  report: MailReport,
  { workspaceId, inboxId }: InboxAddress,
): Promise<RecipientKey[]> {
  const { messageId, deliveries, feedback } = report;
  const named = [...deliveries.flatMap(({ recipient, originalRecipient }) => [recipient, originalRecipient])];
  const addresses = [...named, ...(feedback?.recipients ?? [])].filter((address) => address !== null);
  if (messageId === null || addresses.length === 0) return [];
  const rows = await scoped({ db, workspaceId, scope: wholeWorkspace })
    .selectFrom('message_recipients')
    .innerJoin('message_ids', (on) =>
      on
        .onRef('message_ids.workspace_id', '=', 'message_recipients.workspace_id')
        .onRef('message_ids.message_id', '=', 'message_recipients.message_id'),
    )
    .select(['message_recipients.message_id', 'message_recipients.address'])
    .where('message_ids.inbox_id', '=', inboxId)
    .where('message_ids.hash', '=', sha256(messageId))
    .where('message_recipients.address', 'in', addresses)
    .execute();
  return rows.map(({ message_id, address }) => ({ workspaceId, messageId: message_id, address }));
}

/** The inbox for mail to an accepted recipient. */
export interface MailTarget extends InboxAddress {
  /** Present for a return path: the recipient that a report sent there is about. */
  reportsOn?: RecipientKey;
  /** Set with `reportsOn` if there is no room for mail that is not a report: the reply to its sender. */
  deferral?: SmtpReply;
}

/** The recipient of a return path, and the inbox that sent its message. */
interface ReturnedTo extends RecipientKey {
  inboxId: string;
  inboxAddress: string;
}

/** Returns the recipient of a return path. Returns null for a forged one, without a look-up, and if the inbox was deleted. */
export async function findReturnPath(
  deps: Pick<Deps, 'db' | 'keys' | 'config'>,
  address: string,
): Promise<ReturnedTo | null> {
  const path = leadsBack(deps, address) && readReturnPath(address, domainOf(address), [deps.keys]);
  if (!path) return null;
  const { workspaceIds, messageId, position } = path;
  const db = acrossWorkspaces(deps, 'a return path leads to its workspace');
  const [row] = await selectRecipient({ db }, { ...workspaceIds, messageId, position });
  return row
    ? {
        workspaceId: row.workspace_id,
        messageId,
        address: row.address,
        inboxId: row.inbox_id,
        inboxAddress: row.inbox_address,
      }
    : null;
}

interface Row {
  workspace_id: string;
  address: string;
  inbox_id: string;
  inbox_address: string;
}

const selectRecipient = prepared(
  (db, path: { from: string; to: string; messageId: string; position: number }) =>
    sql<Row>`select r.workspace_id, r.address, i.id as inbox_id, i.address as inbox_address
    from workspaces w
    join message_recipients r on r.workspace_id = w.id and r.message_id = ${path.messageId} and r.position = ${path.position}
    join inboxes i on i.workspace_id = r.workspace_id and i.id = r.inbox_id and i.deleted_at is null
    where w.id between ${path.from} and ${path.to}`.compile(db),
);
