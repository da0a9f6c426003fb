/* The clients of a server: the limits of each, and which connections are closed when all are taken. */
import { createTokenBuckets } from '../../lib/admission/rate.ts';
import { type Release, Slots } from '../../lib/admission/slots.ts';
import { clientOf, isLoopback } from '../../lib/ip-address.ts';
import type { SmtpReply } from './smtp-callbacks.ts';
import type { InboundConnection } from './smtp-connection.ts';
import type { SmtpLimits } from './smtp-limits.ts';
import { replies } from './smtp-lines.ts';

/** The connections, messages and bytes of each client. */
export interface ClientCounts {
  /**
   * Counts a connection until it is released, or returns the reply if there is one too many. When all are taken, `makeRoom` is asked to
   * release another one, and returns whether it did.
   */
  admit(remoteAddress: string, makeRoom?: () => boolean): Release | SmtpReply;
  /** Counts a message that a client begins and returns null, or the reply to one too many. */
  begin(remoteAddress: string): SmtpReply | null;
  /** Counts the bytes of a message that a client has sent. */
  spend(remoteAddress: string, bytes: number): void;
  /** How many milliseconds the next message of a client waits, because those before it had so many bytes. */
  dueMs(remoteAddress: string): number;
  /** Whether more than half of the connections are taken. */
  readonly crowded: boolean;
}

/** Counts connections and messages within the limits; `nowMs` may start anywhere. */
export function createClientCounts(
  limits: SmtpLimits,
  nowMs: () => number = () => performance.now(),
): ClientCounts {
  const { connectionsMax, connectionsPerClientMax, byteWaitMsMax } = limits;
  const places = new Slots({ slots: connectionsMax, ofOwner: connectionsMax });
  const connections = createTokenBuckets(nowMs);
  const messages = createTokenBuckets(nowMs);
  const byteBuckets = createTokenBuckets(nowMs);
  const isExempt = (remoteAddress: string) => limits.loopbackExempt && isLoopback(remoteAddress);
  return {
    get crowded() {
      return places.taken * 2 > connectionsMax;
    },
    admit(remoteAddress, makeRoom = () => false) {
      const client = clientOf(remoteAddress);
      if (!isExempt(remoteAddress)) {
        if (places.countOf(client) >= connectionsPerClientMax) return replies.tooManyFromAddress;
        if (connections.take(client, limits.connectionRate).waitMs > 0) return replies.tooOftenFromAddress;
      }
      // Only now: a client that has had its share must not displace others.
      if (places.taken >= connectionsMax && !makeRoom()) return replies.tooManyConnections;
      return places.hold(client, 1);
    },
    begin(remoteAddress) {
      if (isExempt(remoteAddress)) return null;
      const { waitMs } = messages.take(clientOf(remoteAddress), limits.messageRate);
      return waitMs > 0 ? replies.tooManyMessages : null;
    },
    spend(remoteAddress, bytes) {
      if (!isExempt(remoteAddress)) byteBuckets.spend(clientOf(remoteAddress), limits.byteRate, bytes);
    },
    dueMs(remoteAddress) {
      if (isExempt(remoteAddress)) return 0;
      return Math.min(byteBuckets.look(clientOf(remoteAddress), limits.byteRate).waitMs, byteWaitMsMax);
    },
  };
}

const sweepIntervalMs = 1_000;
/** A client with an open envelope may be idle for this many times `crowdedIdleTimeoutMs`: from MAIL to DATA is some seconds' work. */
const envelopePatience = 2;

/** The connections of a server, those without a message for the longest time first: when many connections are taken, these are closed. */
export class WaitingClients {
  readonly #limits: Pick<SmtpLimits, 'crowdedIdleTimeoutMs'>;
  readonly #isCrowded: () => boolean;
  /** A function for each that gives its place back. */
  readonly #releases = new Map<InboundConnection, Release>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(limits: Pick<SmtpLimits, 'crowdedIdleTimeoutMs'>, isCrowded: () => boolean) {
    this.#limits = limits;
    this.#isCrowded = isCrowded;
  }

  /** Takes in a new connection; `release` is called once, when it ends or gives way. */
  add(connection: InboundConnection, release: Release): void {
    this.#releases.set(connection, release);
    if (this.#isCrowded()) this.#sweepSoon();
  }

  /** Notes that the client got the reply to a message, so its connection is now the last to be closed. */
  renew(connection: InboundConnection): void {
    const release = this.#releases.get(connection);
    if (!release) return;
    connection.renew();
    this.#releases.delete(connection);
    this.#releases.set(connection, release);
  }

  remove(connection: InboundConnection): void {
    const release = this.#releases.get(connection);
    this.#releases.delete(connection);
    release?.();
  }

  /** Ends the connection that has been without a message for longest, and says whether there was one. */
  makeRoom(): boolean {
    for (const connection of this.#releases.keys()) {
      if (!this.#mayGo(connection)) continue;
      this.#end(connection);
      return true;
    }
    return false;
  }

  #mayGo(connection: InboundConnection): boolean {
    if (connection.receiving) return connection.dripping;
    return (
      !connection.hasEnvelope || connection.waitedMs > envelopePatience * this.#limits.crowdedIdleTimeoutMs
    );
  }

  #end(connection: InboundConnection): void {
    this.remove(connection);
    connection.giveWay();
  }

  #sweepSoon(): void {
    this.#sweeping ??= setTimeout(() => {
      this.#sweeping = undefined;
      this.#sweep();
    }, sweepIntervalMs).unref();
  }

  #sweep(): void {
    for (const connection of this.#releases.keys()) {
      if (!this.#isCrowded() || connection.waitedMs <= this.#limits.crowdedIdleTimeoutMs) break;
      if (this.#mayGo(connection)) this.#end(connection);
    }
    if (this.#isCrowded()) this.#sweepSoon();
  }
}

/** Lets through at most `perMinuteMax` reports a minute for each key, so that a flood of refusals is not one of reports. */
export function createReportGate(perMinuteMax: number, nowMs: () => number): (key: string) => boolean {
  const keysMax = 10_000;
  let counts = new Map<string, number>();
  let windowEndsMs = 0;
  return (key) => {
    if (nowMs() >= windowEndsMs || counts.size > keysMax) {
      counts = new Map();
      windowEndsMs = nowMs() + 60_000;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= perMinuteMax;
  };
}
