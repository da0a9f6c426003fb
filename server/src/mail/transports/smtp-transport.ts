/*
 * Hands messages to a relay, with one transaction for each recipient, and never twice. nodemailer's own pool is not used: it queues a
 * message again if a connection closes, and it reports a peer that went silent after the final dot as one that never responded. Here the
 * bytes of a message are a stream that tracks its progress (`handover-source.ts`), and an attempt is repeated in one case only: a
 * connection that had carried mail turned out to be dead before the peer agreed to take this message.
 */
import { relayConnections } from '../../lib/admission/server-limits.ts';
import { judgeFailure, RelayFailure, toFailure } from './classify-reply.ts';
import { findInvalid, findUnsupported, handOver, recipientDomain } from './hand-over.ts';
import type { Relay } from './relay.ts';
import { RelayPool, type RelayPoolSettings } from './relay-pool.ts';
import { RelaySession } from './relay-session.ts';
import { type RelayTiming, scaleTiming } from './run-step.ts';
import type { Outcome, Transport, TransportCheck, TransportJob } from './transport.ts';

/** The relay and the host name, and settings that all have a default. */
export interface SmtpTransportSettings extends Partial<RelayTiming>, Partial<RelayPoolSettings> {
  relay: Relay;
  /** The name that is sent with EHLO. */
  hostname: string;
  /** The time for which `close` lets messages in progress finish if it is called without a time, in milliseconds. */
  closeGraceMs?: number;
  /** Whether to connect to the relay now. If not, messages that wait for a connection are deferred. Always by default. */
  mayConnect?(): boolean;
  /** Shortens every wait for the peer if the test clock runs faster. */
  scaleMs?(durationMs: number): number;
}

const defaults = {
  connectTimeoutMs: 30_000,
  greetingTimeoutMs: 30_000,
  commandTimeoutMs: 60_000,
  dataBlockTimeoutMs: 180_000,
  transferTimeoutMs: 600_000,
  afterDotTimeoutMs: 600_000,
  ...relayConnections,
  messagesPerConnectionMax: 100,
  idleMs: 30_000,
  closeGraceMs: 5_000,
};

/** Creates a transport over an SMTP relay that was read by `parseRelay`. An accepted message is sent, not yet delivered. */
export function createSmtpTransport(settings: SmtpTransportSettings): Transport {
  const {
    relay,
    hostname,
    mayConnect = () => true,
    scaleMs = (durationMs: number) => durationMs,
    ...figures
  } = { ...defaults, ...settings };
  const timing = scaleTiming(figures, scaleMs);
  const connect = (signal?: AbortSignal) => RelaySession.open({ relay, hostname, timing, signal });
  const open = async (signal: AbortSignal) => {
    if (!mayConnect()) throw new RelayFailure(`${relay.host}:${relay.port} failed a moment ago.`);
    return connect(signal);
  };
  const pool = new RelayPool(figures);

  async function attempt(job: TransportJob, fresh: boolean): Promise<Outcome> {
    let session: RelaySession;
    try {
      const { recipient, signal } = job;
      session = await pool.acquire({ open, fresh, destination: recipientDomain(recipient), signal });
    } catch (error) {
      const outcome = judgeFailure(toFailure(error), 'envelope');
      return outcome.kind === 'deferred' ? { ...outcome, hasNoSession: true } : outcome;
    }
    const unsupported = findUnsupported(job, session);
    if (unsupported !== null) {
      pool.release(session);
      return unsupported;
    }
    const { outcome, isStale } = await handOver(job, session, (used) => pool.release(used));
    return isStale && !fresh ? attempt(job, true) : outcome;
  }

  return {
    name: 'smtp',
    submit: async (job) => {
      const invalid = findInvalid(job);
      if (invalid) return invalid;
      const outcome = await attempt(job, false);
      pool.note(recipientDomain(job.recipient), outcome.kind === 'deferred');
      return outcome;
    },
    check: () => checkRelay(relay, connect),
    close: (graceMs = figures.closeGraceMs) => pool.close(graceMs),
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
