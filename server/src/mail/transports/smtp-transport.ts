/*
 * Hands messages to a relay, with one transaction for each recipient, and never twice. nodemailer's own pool is not used: it queues a
 * message again if a connection closes, and it reports a peer that went silent after the final dot as one that never responded. Here the
 * bytes of a message are a stream that tracks its progress (`handover-source.ts`), and an attempt is repeated in one case only: a
 * connection that had carried mail turned out to be dead before the peer agreed to take this message.
 */
import { isAscii } from 'node:buffer';
import { sesMessageIds, sesRegionOf } from '../aws/ses-message-ids.ts';
import { parseReply } from './classify-reply.ts';
import { createHandoverSource } from './handover-source.ts';
import { findProviderMessageId } from './provider-message-id.ts';
import type { Relay } from './relay.ts';
import { isLostConnection, judgeFailure, toFailure } from './relay-failure.ts';
import { RelayPool, type RelayPoolSettings } from './relay-pool.ts';
import { RelaySession, type RelayTiming } from './relay-session.ts';
import type { Accepted, Outcome, Rejected, Transport, TransportCheck, TransportJob } from './transport.ts';

/** The relay and the host name, and settings that all have a default. */
export interface SmtpTransportSettings extends Partial<RelayTiming>, Partial<RelayPoolSettings> {
  relay: Relay;
  /** The name that is sent with EHLO. */
  hostname: string;
  /** How long `close` lets messages in flight finish if it is called without a time, in milliseconds. */
  closeGraceMs?: number;
  /** Shortens every wait for the peer if time is made to run faster. */
  scaleMs?(durationMs: number): number;
}

const unspeakable = /[\p{Cc}<>]/u;

const defaults = {
  connectTimeoutMs: 30_000,
  greetingTimeoutMs: 30_000,
  commandTimeoutMs: 60_000,
  dataBlockTimeoutMs: 180_000,
  afterDotTimeoutMs: 600_000,
  connectionsMax: 10,
  connectionsKept: 10,
  messagesPerConnectionMax: 100,
  idleMs: 30_000,
  closeGraceMs: 5_000,
};

/** Creates a transport over an SMTP relay that was read by `parseRelay`. An accepted message is sent, not yet delivered. */
export function createSmtpTransport(settings: SmtpTransportSettings): Transport {
  const {
    relay,
    hostname,
    scaleMs = (durationMs: number) => durationMs,
    ...figures
  } = { ...defaults, ...settings };
  const timing = scaleTiming(figures, scaleMs);
  const open = (signal?: AbortSignal) => RelaySession.open(relay, hostname, timing, signal);
  const pool = new RelayPool(open, figures);

  async function attempt(job: TransportJob, fresh: boolean): Promise<Outcome> {
    let session: RelaySession;
    try {
      session = await pool.acquire({ fresh, destination: destinationOf(job.recipient), signal: job.signal });
    } catch (error) {
      return judgeFailure(toFailure(error), 'envelope');
    }
    const unsupported = findUnsupported(job, session);
    if (unsupported === null) return deliver(job, session, fresh);
    pool.release(session);
    return unsupported;
  }

  async function deliver(job: TransportJob, session: RelaySession, fresh: boolean): Promise<Outcome> {
    const { raw, returnPath: envelopeFrom, recipient, signal } = job;
    const reused = session.served > 0;
    const source = createHandoverSource(raw, job.onHandover, (phase) => session.progressed(phase));
    const delivery = { envelopeFrom, recipient, sizeBytes: raw.length, eightBit: !isAscii(raw), source };
    try {
      const reply = await session.deliver(delivery, signal);
      pool.release(session);
      return acceptedBy(relay, reply);
    } catch (error) {
      const failure = toFailure(error);
      if (session.alive) void session.reset().then(() => pool.release(session));
      // The caller must not get an outcome while it is still being told that the message is sent.
      const handoverError = await source.settled();
      if (handoverError !== null) throw handoverError;
      const stale = reused && !fresh && source.phase() === 'envelope' && isLostConnection(failure);
      if (stale && !signal?.aborted) return attempt(job, true);
      return judgeFailure(failure, source.phase());
    }
  }

  return {
    name: 'smtp',
    submit: async (job) => {
      const invalid = findInvalid(job);
      if (invalid) return invalid;
      const outcome = await attempt(job, false);
      pool.note(destinationOf(job.recipient), outcome.kind === 'deferred');
      return outcome;
    },
    check: () => checkRelay(relay, open),
    close: (graceMs = figures.closeGraceMs) => pool.close(graceMs),
  };
}

function acceptedBy({ host }: Relay, reply: string): Accepted {
  const providerMessageId = findProviderMessageId(reply);
  const detail = parseReply(reply)?.text ?? null;
  const region = sesRegionOf(host);
  const messageIds =
    region !== null && providerMessageId !== null && sesMessageIds(providerMessageId, region);
  return { kind: 'accepted', providerMessageId, detail, final: false, ...(messageIds && { messageIds }) };
}

function scaleTiming(timing: RelayTiming, scaleMs: (durationMs: number) => number): RelayTiming {
  return {
    connectTimeoutMs: scaleMs(timing.connectTimeoutMs),
    greetingTimeoutMs: scaleMs(timing.greetingTimeoutMs),
    commandTimeoutMs: scaleMs(timing.commandTimeoutMs),
    dataBlockTimeoutMs: scaleMs(timing.dataBlockTimeoutMs),
    afterDotTimeoutMs: scaleMs(timing.afterDotTimeoutMs),
  };
}

async function checkRelay(relay: Relay, open: () => Promise<RelaySession>): Promise<TransportCheck> {
  try {
    const session = await open();
    const detail = `${relay.host}:${relay.port} is ready${session.encrypted ? ', with TLS' : ''}.`;
    await session.quit();
    return { ok: true, detail };
  } catch (error) {
    return { ok: false, detail: toFailure(error).message };
  }
}

/** Returns the domain of an address, which is the destination of its messages. */
export function destinationOf(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
}

/** Returns a rejection for addresses that nodemailer's connection would not put into a command, otherwise null. */
function findInvalid({ returnPath, recipient }: TransportJob): Rejected | null {
  if (recipient === '' || unspeakable.test(recipient))
    return reject('recipient', '5.1.3', 'The address of the recipient cannot be sent by SMTP.');
  if (unspeakable.test(returnPath))
    return reject('message', '5.1.7', 'The return path cannot be sent by SMTP.');
  return null;
}

/** Returns a rejection for addresses in UTF-8 if the peer does not offer SMTPUTF8 (RFC 6531, section 3.2), otherwise null. */
function findUnsupported({ returnPath, recipient }: TransportJob, session: RelaySession): Rejected | null {
  if (isAscii(Buffer.from(returnPath + recipient)) || session.offers('SMTPUTF8')) return null;
  return reject('message', '5.6.7', 'The relay does not take addresses with letters outside ASCII.');
}

function reject(scope: Rejected['scope'], enhanced: string, detail: string): Rejected {
  return { kind: 'rejected', scope, code: null, enhanced, detail };
}
