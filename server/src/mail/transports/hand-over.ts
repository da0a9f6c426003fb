import { isAscii } from 'node:buffer';
import { sesMessageIds, sesRegion } from '../aws/ses-notification.ts';
import { isLostConnection, judgeFailure, parseReply, toFailure } from './classify-reply.ts';
import { createHandoverSource } from './handover-source.ts';
import type { Relay } from './relay.ts';
import type { RelaySession } from './relay-session.ts';
import { transferLimitMs } from './run-step.ts';
import type { Accepted, Outcome, Rejected, TransportJob } from './transport.ts';

const unspeakable = /[\p{Cc}<>]/u;

/** Returns the domain of an address, which is the destination of its messages. */
export function recipientDomain(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
}

/** Returns a rejection for addresses that nodemailer's connection would not put into a command, otherwise null. */
export function findInvalid({ returnPath, recipient }: TransportJob): Rejected | null {
  if (recipient === '' || unspeakable.test(recipient))
    return reject('recipient', '5.1.3', 'The address of the recipient cannot be used in SMTP.');
  if (unspeakable.test(returnPath))
    return reject('message', '5.1.7', 'The return path cannot be used in SMTP.');
  return null;
}

/** Returns a rejection for addresses in UTF-8 if the peer does not offer SMTPUTF8 (RFC 6531, section 3.2), otherwise null. */
export function findUnsupported(
  { returnPath, recipient }: TransportJob,
  session: RelaySession,
): Rejected | null {
  if (isAscii(Buffer.from(returnPath + recipient)) || session.takesUtf8) return null;
  return reject(
    'message',
    '5.6.7',
    `The server ${session.relay.host} does not accept addresses with non-ASCII letters (SMTPUTF8).`,
  );
}

/** Returns a rejection that no server has made. */
export function reject(scope: Rejected['scope'], enhanced: string, detail: string): Rejected {
  return { kind: 'rejected', scope, code: null, enhanced, detail };
}

/** The result of an attempt over one session. */
interface Handover {
  outcome: Outcome;
  /** Whether the peer may have received anything of the message, or the caller was told so. If not, another server can be tried. */
  isBegun: boolean;
  /** Whether a connection that had carried mail before turned out to be lost, so that a new one to the same server may be tried. */
  isStale: boolean;
  /** Whether the server refused the recipient with 5xx: it works, whatever it says of itself. */
  hasRefusedRecipient: boolean;
}

/**
 * Sends one message over a borrowed session, which `release` takes back. An accepted message is sent, not yet delivered. Rejects only with
 * the error of `onHandover`.
 */
export async function handOver(
  job: TransportJob,
  session: RelaySession,
  release: (session: RelaySession) => void,
): Promise<Handover> {
  const { raw, returnPath: envelopeFrom, recipient, signal } = job;
  const isReused = session.served > 0;
  job.onServer?.(session.relay);
  const source = createHandoverSource(raw, job.onHandover, (phase) => session.progressed(phase));
  const delivery = { envelopeFrom, recipient, sizeBytes: raw.length, eightBit: !isAscii(raw), source };
  const limitMs = transferLimitMs(session.timing, raw.length);
  const limit = setTimeout(() => {
    if (source.phase() !== 'complete')
      session.destroy(`The server did not accept the message within ${Math.ceil(limitMs / 1_000)} s.`);
  }, limitMs);
  try {
    const reply = await session.deliver(delivery, signal);
    release(session);
    return {
      outcome: acceptedBy(session.relay, reply),
      isBegun: true,
      isStale: false,
      hasRefusedRecipient: false,
    };
  } catch (error) {
    const failure = toFailure(error);
    if (session.alive) void session.reset().then(() => release(session));
    // The caller must not get an outcome while it is still being told that the message is sent.
    const handoverError = await source.settled();
    if (handoverError !== null) throw handoverError;
    const isBegun = source.phase() !== 'envelope';
    return {
      outcome: judgeFailure(failure, source.phase()),
      isBegun,
      isStale: isReused && !isBegun && isLostConnection(failure) && !signal?.aborted,
      hasRefusedRecipient: failure.command === 'RCPT TO' && /^5/.test(failure.reply ?? ''),
    };
  } finally {
    clearTimeout(limit);
  }
}

function acceptedBy({ host }: Relay, reply: string): Accepted {
  const providerMessageId = findProviderMessageId(reply);
  const detail = parseReply(reply)?.text ?? null;
  const region = sesRegion(host);
  const messageIds =
    region !== null && providerMessageId !== null && sesMessageIds(providerMessageId, region);
  return { kind: 'accepted', providerMessageId, detail, final: false, ...(messageIds && { messageIds }) };
}

/*
 * RFC 5321 leaves the text after 250 free, and every relay puts the id of its queue file there in its own way. These are the formats of the
 * common relays. A reply in an unknown format has no id rather than a wrong one.
 */
const forms: RegExp[] = [
  // Postfix and servers based on it: "250 2.0.0 Ok: queued as 4XyZ1b2cz3"
  /\bqueued as <?([\w.@+-]+)>?/i,
  // Exim: "250 OK id=1sX0Yz-0000AB-CD"
  /\bid=([\w.@+-]+)/i,
  // Gmail: "250 2.0.0 OK  1700000000 d9443c01a7336-1f9eb3b6e81si99 - gsmtp"
  /\bOK\s+\d+\s+([\w.-]+)\s+-\s+gsmtp\b/i,
  // Microsoft: "250 2.0.0 OK <id@host.prod.outlook.com> [Hostname=…]", or "2.6.0 <id> [InternalId=…]"
  /^250 2\.\d\.\d (?:OK )?<([^<>\s]+)> \[/i,
  // Sendmail: "250 2.0.0 4AKC0abc012345 Message accepted for delivery"
  /^250 2\.\d\.\d ([\w.-]+) Message accepted/i,
  // OpenSMTPD: "250 2.0.0: 1a2b3c4d Message accepted for delivery"
  /^250 2\.\d\.\d: ([\w.-]+) Message accepted/i,
  // Amazon SES: "250 Ok 0100018b5c3c0a4f-1c9d…-000000"; SendGrid: "250 Ok: queued as …" has Postfix's format
  /^250 Ok ([0-9a-f]+(?:-[0-9a-f]+)+)$/i,
  // Haraka: "250 Message Queued (8E2A4C1B-1234-4D5E-9F60-ABCDEF012345.1)"
  /\bqueued \(([\w.-]+)\)/i,
];

const replyLengthMax = 1_000;

/** Returns the id that a relay gave the message in its 250 reply. Returns null if the reply has no id in a known format. */
export function findProviderMessageId(reply: string): string | null {
  const [first = ''] = reply.slice(0, replyLengthMax).split('\n', 1);
  const line = first.trimEnd();
  for (const form of forms) {
    const id = form.exec(line)?.[1];
    if (id !== undefined) return id.slice(0, 255);
  }
  return null;
}
