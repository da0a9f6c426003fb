import { directSockets } from '../../../lib/admission/server-limits.ts';
import type { DnsResolve } from '../../authenticate/ask-dns.ts';
import { judgeFailure, toFailure } from '../classify-reply.ts';
import { findInvalid, findUnsupported, handOver, recipientDomain } from '../hand-over.ts';
import type { RelaySession } from '../relay-session.ts';
import { type RelayTiming, scaleTiming } from '../run-step.ts';
import {
  deferredByRelay,
  type Outcome,
  type Transport,
  type TransportCheck,
  type TransportJob,
} from '../transport.ts';
import { type DestinationRules, Destinations } from './destinations.ts';
import { createMailDns, DnsFailure, type MailDns } from './dns-answers.ts';
import { createPolicyFetcher } from './fetch-policy.ts';
import { findRoute, type Route } from './find-route.ts';
import { createMtaSts } from './mta-sts.ts';
import { DestinationFailure, openSession } from './open-session.ts';

/** The host name and the network, and settings that all have a default. */
export interface DirectTransportSettings extends Partial<RelayTiming>, Partial<DestinationRules> {
  /** The name that is sent with EHLO, and that no MX leads back to. */
  hostname: string;
  /** The domain that `check` looks up. */
  domain: string;
  resolve: DnsResolve;
  port: number;
  mayConnectTo(address: string): boolean;
  /** The port of the web servers that have MTA-STS policies. */
  policyPort?: number;
  /** PEM of the authorities for certificates that MTA-STS requires; those of Node by default. */
  ca?: string;
  /** The time for one attempt until a server takes the session. */
  attemptMs?: number;
  closeGraceMs?: number;
  /** Shortens a wait if the test clock runs faster. */
  scaleMs?(durationMs: number): number;
  /** Shortens a wait for the peer, which needs a moment however fast time runs. */
  scalePeerMs?(durationMs: number): number;
  nowMs?(): number;
}

const defaults = {
  ...directSockets,
  connectTimeoutMs: 8_000,
  greetingTimeoutMs: 45_000,
  commandTimeoutMs: 60_000,
  dataBlockTimeoutMs: 180_000,
  transferTimeoutMs: 600_000,
  afterDotTimeoutMs: 600_000,
  messagesPerConnectionMax: 50,
  idleMs: 30_000,
  backOffFirstMs: 30_000,
  backOffMostMs: 600_000,
  attemptMs: 120_000,
  closeGraceMs: 5_000,
};

/** Creates a transport to the servers of recipients, found by DNS. An accepted message is sent, not yet delivered. */
export function createDirectTransport(settings: DirectTransportSettings): Transport {
  const figures = { ...defaults, ...settings };
  const { resolve, mayConnectTo, port, hostname, ca, nowMs = () => performance.now() } = settings;
  const scaleMs = settings.scaleMs ?? ((durationMs: number) => durationMs);
  const scalePeerMs = settings.scalePeerMs ?? scaleMs;
  const dns = createMailDns({ resolve, nowMs, scaleMs });
  const policies = createPolicyFetcher({ dns, mayConnectTo, port: settings.policyPort, ca });
  const findPolicy = createMtaSts({ dns, fetchPolicy: policies.fetch, nowMs, scaleMs });
  const timing = scaleTiming(figures, scalePeerMs);
  let hasReached = false;
  const reach = {
    isKnown: () => hasReached,
    note: () => {
      hasReached = true;
    },
  };
  const opening = { dns, hostname, port, timing, ca, mayConnectTo, reach };
  const destinations = new Destinations({
    rules: {
      ...figures,
      backOffFirstMs: scaleMs(figures.backOffFirstMs),
      backOffMostMs: scaleMs(figures.backOffMostMs),
    },
    nowMs,
    open: (plan, signal) => openSession(opening, plan, signal),
  });
  const sending = { destinations, attemptMs: scalePeerMs(figures.attemptMs) };
  let isClosing = false;

  async function attempt(job: TransportJob): Promise<Outcome> {
    const route = await findRoute({ dns, hostname, findPolicy }, recipientDomain(job.recipient));
    const outcome = 'outcome' in route ? route.outcome : await sendTo(job, route, sending);
    // An attempt that this server cut off says nothing about the recipient.
    const isCut = isClosing || job.signal?.aborted === true;
    return isCut && outcome.kind === 'deferred' ? deferredByRelay(outcome.detail) : outcome;
  }

  return {
    name: 'direct',
    submit: async (job) => {
      if (isClosing || job.signal?.aborted) return deferredByRelay('The transport is closing.');
      return findInvalid(job) ?? attempt(job);
    },
    check: () => checkDns(dns, settings.domain),
    close: async (graceMs = figures.closeGraceMs) => {
      isClosing = true;
      await Promise.all([destinations.close(graceMs), policies.close()]);
    },
  };
}

/** Checks whether DNS answers, by the MX records of a domain. Whether port 25 is open outward is not checked. */
async function checkDns(dns: MailDns, domain: string): Promise<TransportCheck> {
  try {
    const { records, exists } = await dns.mx(domain);
    const names = records.map(({ exchange }) => exchange).join(', ');
    if (names !== '') return { ok: true, detail: `DNS answers: the MX of ${domain} is ${names}.` };
    return {
      ok: false,
      detail: exists
        ? `DNS answers, and ${domain} has no MX record, so it gets no replies.`
        : `DNS answers, and the domain ${domain} does not exist, so it gets no replies.`,
    };
  } catch (error) {
    if (error instanceof DnsFailure) return { ok: false, detail: error.message };
    throw error;
  }
}

/*
 * Delivers messages to the servers of their recipients, without a relay. It tries one server after another until one accepts the session,
 * and never a second one once the first may have received a part of the message. As is usual among mail servers, it tries the next one if a
 * server cannot be reached, refuses the session (also with 5xx), closes it, or replies to MAIL with 4xx. A 4xx to RCPT or to the message is
 * the reply of the whole destination.
 */

const serversMax = 5;

/** The parts that every message is sent with. */
interface Sending {
  destinations: Destinations;
  /** The time until a server has taken the session. */
  attemptMs: number;
}

/** Sends a message to the first server of a route that takes it, and returns the outcome. Rejects only as `onHandover` does. */
async function sendTo(
  job: TransportJob,
  route: Route,
  { destinations, attemptMs }: Sending,
): Promise<Outcome> {
  const destination = destinations.of(route.key);
  const limit = AbortSignal.timeout(attemptMs);
  const signal = job.signal ? AbortSignal.any([job.signal, limit]) : limit;
  const owner = job.names?.workspaceId ?? '';
  const passed = new Set<string>();
  let refusal: Outcome | null = null;
  for (let fresh = false; ; fresh = true) {
    let session: RelaySession;
    try {
      const hosts = route.hosts.filter((host) => !passed.has(host));
      session = await destination.borrow({ owner, hosts, isStrict: route.isStrict, fresh, signal });
    } catch (error) {
      return refusal ?? judgeUnreached(error);
    }
    const unsupported = findUnsupported(job, session);
    if (unsupported !== null) {
      destination.release(session);
      return unsupported;
    }
    const handover = await handOver(job, session, destination.release);
    const { outcome, isBegun, isStale } = handover;
    const isOfServer = outcome.kind === 'deferred' && outcome.cause === 'relay';
    // Anyone can name the servers of a provider in the MX records of a domain that they do not know.
    destination.note(isOfServer && !handover.hasRefusedRecipient);
    if (!isOfServer) return outcome;
    if (isStale && !fresh) continue;
    // No relay has failed here: the servers are those of the recipient.
    refusal = { ...outcome, cause: 'recipient' };
    passed.add(session.relay.host);
    const hasNext = passed.size < Math.min(serversMax, route.hosts.length);
    if (isBegun || !hasNext || signal.aborted) return refusal;
  }
}

/** A destination that failed says itself whose fault it is. Anything else was refused by this server. */
function judgeUnreached(error: unknown): Outcome {
  return error instanceof DestinationFailure ? error.deferral : judgeFailure(toFailure(error), 'envelope');
}
