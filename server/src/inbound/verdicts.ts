/*
 * The log of decisions on inbound mail, which tells why a mail did not arrive. Its rows are written after the replies, so a crash loses the
 * last moments of it, and never mail.
 */
import { type Insertable, sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { createWriteBehind, type WriteBehind } from '../db/write-behind.ts';
import type { Deps } from '../deps.ts';
import { createTokenBuckets } from '../lib/admission/rate.ts';
import { unstoredMailRate } from '../lib/admission/server-limits.ts';
import { clientOf } from '../lib/ip-address.ts';
import type { SmtpReply, SmtpSession } from '../mail/smtp/smtp-callbacks.ts';
import type { Arrival, Receipt, SettledRecipient } from './arrival.ts';
import { acknowledgement, type SpooledEnvelope } from './spool/spool-mail.ts';

/** A verdict as the log has it. */
export type Decision = Insertable<Tables['smtp_decisions']>;

type DecisionLog = WriteBehind<Omit<Decision, 'id'>>;
type Client = Pick<Decision, 'session_id' | 'remote_address' | 'helo'>;

/** A verdict on a recipient, with what is known about the mail. Without a `verdict`, the reply decides it. */
export type Verdict = Partial<Decision>;

/** Writes verdicts on recipients into the log and the metrics. */
export type NoteVerdict = (client: Client, verdict: Verdict, reply: SmtpReply) => void;

/** Opens the log. */
export function openDecisionLog(deps: Pick<Deps, 'db' | 'log'>): DecisionLog {
  return createWriteBehind({
    log: deps.log,
    what: 'SMTP decisions',
    flushAfterMs: 250,
    batchRows: 500,
    write: (decisions) =>
      insertAll(
        { db: acrossWorkspaces(deps, 'a refused email may belong to no workspace') },
        columnValues(decisions),
      ),
  });
}

/** Creates a writer of verdicts. The metrics count all of them. */
export function createVerdictNotes(
  deps: Pick<Deps, 'metrics' | 'clock'>,
  decisions: Pick<DecisionLog, 'add'>,
): NoteVerdict {
  const buckets = createTokenBuckets(() => performance.now());
  const hasRow = ({ remote_address }: Client, { verdict, message_id }: Verdict): boolean => {
    // Stored mail is limited by the plan of its workspace, and reports on a message by those that it has.
    if (verdict === 'accepted' && message_id) return true;
    return buckets.take(clientOf(remote_address ?? ''), unstoredMailRate).waitMs === 0;
  };
  return (client, given, reply) => {
    const verdict = { ...given, verdict: given.verdict ?? saidBy(reply) };
    deps.metrics.smtpVerdicts.inc({ verdict: verdict.verdict });
    if (!hasRow(client, verdict)) return;
    const { session_id, remote_address, helo } = client;
    decisions.add({
      at: deps.clock.now(),
      session_id,
      remote_address,
      helo: printable(helo),
      reply: `${reply.code} ${reply.enhanced} ${reply.text}`,
      ...verdict,
      mail_from: printable(verdict.mail_from),
      rcpt_to: printable(verdict.rcpt_to),
    });
  };
}

function saidBy({ code }: SmtpReply): 'accepted' | 'deferred' | 'refused' {
  if (code < 400) return 'accepted';
  return code < 500 ? 'deferred' : 'refused';
}

/** Returns the client of a session as the log names it. */
export function loggedClient({
  id,
  remoteAddress,
  helo,
}: Pick<SmtpSession, 'id' | 'remoteAddress' | 'helo'>): Client {
  return { session_id: id, remote_address: remoteAddress, helo };
}

/** Notes the verdicts on the settled recipients of a mail. */
export function noteSettled(note: NoteVerdict, { client, envelopeFrom, settled, reply }: Arrival): void {
  if (client === null) return;
  for (const { given, owner, messageId, verdict, reply: ownReply } of settled)
    note(
      loggedClient(client),
      {
        ...(verdict && { verdict }),
        workspace_id: owner.workspaceId,
        inbox_id: owner.inboxId ?? null,
        message_id: messageId,
        mail_from: envelopeFrom,
        rcpt_to: given,
      },
      ownReply ?? reply,
    );
}

/** Notes the verdicts on a mail of the spool, once it is filed. */
export function noteFiled(note: NoteVerdict, envelope: SpooledEnvelope, receipts: Receipt[]): void {
  for (const { workspace_id, inbox_id, given } of envelope.targets) {
    const { verdict, messageId: message_id } = verdictOn(receipts, { inboxId: inbox_id });
    for (const rcpt_to of given)
      note(
        envelope,
        { verdict, workspace_id, inbox_id, message_id, mail_from: envelope.envelope_from, rcpt_to },
        acknowledgement(envelope),
      );
  }
}

const verdictOfOutcome = { stored: 'accepted', repeated: 'repeated', inbox_gone: 'refused' } as const;

/** Returns the outcome of a mail in one of its inboxes. Without a receipt, the sender was told to try again. */
export function verdictOn(
  receipts: Receipt[],
  { inboxId }: { inboxId: string },
): { verdict: NonNullable<SettledRecipient['verdict']>; messageId: string | null } {
  const receipt = receipts.find(({ inbox }) => inbox.inboxId === inboxId);
  if (!receipt) return { verdict: 'deferred', messageId: null };
  return { verdict: verdictOfOutcome[receipt.outcome], messageId: receipt.messageId };
}

/** Returns the part of a client's text that a database can hold. */
export function printable(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : text.replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, 1_000);
}

const texts = [
  'workspace_id',
  'inbox_id',
  'message_id',
  'session_id',
  'remote_address',
  'helo',
  'mail_from',
  'rcpt_to',
  'verdict',
  'reply',
] as const;

type Columns = Record<(typeof texts)[number], (string | null)[]> & { at: Decision['at'][] };

function columnValues(decisions: Omit<Decision, 'id'>[]): Columns {
  return {
    at: decisions.map(({ at }) => at),
    ...Object.fromEntries(texts.map((name) => [name, decisions.map((decision) => decision[name] ?? null)])),
  } as Columns;
}

/** Writes any number of rows with one short statement, because hundreds of rows of values take longer to parse than to write. */
const insertAll = prepared((db, columns: Columns) =>
  sql`insert into smtp_decisions (at, ${sql.join(texts.map((name) => sql.ref(name)))})
    select * from unnest(${columns.at}::timestamptz[], ${sql.join(
      texts.map((name) => sql`${columns[name]}::text[]`),
    )})`.compile(db),
);
