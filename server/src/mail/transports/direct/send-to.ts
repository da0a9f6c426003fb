/*
 * Hands messages to the servers of their recipients, without a relay. A message goes to one server after another until one takes the
 * session, and never to a second one once the first may have got a part of it. As usual among mail servers, the next one is tried if a
 * server cannot be reached, refuses the session (also with 5xx), closes it, or answers MAIL with 4xx. A 4xx to RCPT or to the message is
 * the answer of the whole destination.
 */
import { findUnsupported } from '../check-addresses.ts';
import { handOver } from '../hand-over.ts';
import { judgeFailure, toFailure } from '../relay-failure.ts';
import type { RelaySession } from '../relay-session.ts';
import type { Outcome, TransportJob } from '../transport.ts';
import type { Destinations } from './destinations.ts';
import type { Route } from './find-route.ts';
import { DestinationFailure } from './open-session.ts';

const serversMax = 5;

/** What messages are sent with. */
export interface Sending {
  destinations: Destinations;
  /** The time until a server has taken the session. */
  attemptMs: number;
}

/** Sends a message to the first server of a route that takes it, and returns the outcome. Rejects only as `onHandover` does. */
export async function sendTo(
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
    // There is no relay that failed: the servers are those of the recipient.
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
