import type { Deps } from '../deps.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { unstoredMailRate } from '../lib/admission/server-limits.ts';
import { createTokenBuckets } from '../lib/admission/token-buckets.ts';
import { clientOf } from '../lib/client-address.ts';
import type { SmtpReply, SmtpSession } from '../mail/smtp/smtp-callbacks.ts';
import type { Decision, DecisionLog } from './decision-log.ts';
import type { Receipt } from './receive-mail.ts';

type Client = Pick<Decision, 'session_id' | 'remote_address' | 'helo'>;

/** A verdict with what is known about the mail. */
export type Verdict = Partial<Decision> & Pick<Decision, 'verdict'>;

/** Returns the client of a session as the log names it. */
export function loggedClient({ id, remoteAddress, helo }: SmtpSession): Client {
  return { session_id: id, remote_address: remoteAddress, helo };
}

/** Writes verdicts on recipients into the log and the metrics. */
export type NoteVerdict = (client: Client, verdict: Verdict, reply: SmtpReply) => void;

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
  return (client, verdict, reply) => {
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

/** Returns the outcome of a mail in one of its inboxes as a verdict. Without a receipt, the sender was told to try again. */
export function verdictOf(
  receipts: Receipt[],
  inbox: Pick<InboxAddress, 'workspaceId'> & { inboxId: string | null },
): Verdict {
  const receipt = receipts.find((each) => each.inbox.inboxId === inbox.inboxId);
  const ids = {
    workspace_id: inbox.workspaceId,
    inbox_id: inbox.inboxId,
    message_id: receipt?.messageId ?? null,
  };
  if (!receipt) return { verdict: 'deferred', ...ids };
  const verdict = {
    stored: 'accepted',
    repeated: 'repeated',
    inbox_gone: 'refused',
    blocked: 'refused',
    unauthentic: 'refused',
  } as const;
  return { verdict: verdict[receipt.outcome], ...ids };
}

/** Returns the part of a client's text that a database can hold. */
export function printable(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : text.replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, 1_000);
}
