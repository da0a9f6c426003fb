import { createTokenBuckets, type Rate } from '../../lib/admission/rate.ts';
import { clientOf, isLoopback } from '../../lib/ip-address.ts';
import type { SmtpReply } from './smtp-callbacks.ts';
import { replies } from './smtp-replies.ts';

/** The limits of one server, and of one client. */
export interface SmtpLimits {
  /** Where the process may open few files, fewer: a quarter of them. */
  connectionsMax: number;
  /** Connections of one client: one IPv4 address, or one IPv6 network of 64 bits. */
  connectionsPerClientMax: number;
  /** New connections of one client. */
  connectionRate: Rate;
  /** Messages that one client begins (MAIL commands), over all its connections. */
  messageRate: Rate;
  /** Bytes of the messages of one client; beyond them its next messages wait, for so long at most. */
  byteRate: Rate;
  byteWaitMsMax: number;
  /** Whether clients on this machine (a proxy, a local relay) are free of the limits per client. */
  loopbackExempt: boolean;
  /** Of one message; RFC 5321, section 4.5.3.1.8 asks for at least 100. */
  recipientsMax: number;
  /** Commands refused for good before a connection is closed; a message that is taken starts the count again. */
  errorsMax: number;
  /** Commands before a connection is closed; a message that is taken starts the count again. */
  commandsMax: number;
  receivedLinesMax: number;
  /** How long a client has to keep silent before it is greeted (RFC 5321, section 4.3.1); one that talks is no mail server. */
  greetingPauseMs: number;
  /** Without a byte from the client (RFC 5321, section 4.5.3.2.7: at least five minutes). */
  idleTimeoutMs: number;
  /** How long a client that was greeted may say nothing at all. */
  firstCommandTimeoutMs: number;
  /** How long a client may say nothing between two messages, where it has named no sender. */
  restTimeoutMs: number;
  /** How long a client may be here without a message once more than half of the connections are taken. */
  crowdedIdleTimeoutMs: number;
  /** From 354 to the final dot, however steadily bytes drip in. */
  dataTimeoutMs: number;
  /** A message that has been coming for so long, at fewer bytes a second, gives way once more than half of the connections are taken. */
  drippingAfterMs: number;
  drippingBytesPerSecond: number;
  /** How long a callback may take before the client hears 451. */
  answerTimeoutMs: number;
}

/** The limits of a server that is told nothing else. */
export const smtpLimitDefaults: SmtpLimits = {
  connectionsMax: 2_000,
  connectionsPerClientMax: 50,
  connectionRate: { perMinute: 300, burst: 300 },
  messageRate: { perMinute: 1_200, burst: 2_400 },
  byteRate: { perMinute: 60 * 4_194_304, burst: 33_554_432 },
  byteWaitMsMax: 30_000,
  loopbackExempt: true,
  recipientsMax: 100,
  errorsMax: 50,
  commandsMax: 5_000,
  receivedLinesMax: 50,
  greetingPauseMs: 90,
  idleTimeoutMs: 300_000,
  firstCommandTimeoutMs: 60_000,
  restTimeoutMs: 100_000,
  crowdedIdleTimeoutMs: 30_000,
  dataTimeoutMs: 600_000,
  drippingAfterMs: 60_000,
  drippingBytesPerSecond: 1_024,
  answerTimeoutMs: 60_000,
};

/** The connections, messages and bytes of each client. */
export interface ClientCounts {
  /**
   * Counts a connection and returns null, or the reply to one too many. `makeRoom` is asked to release another one when all
   * are taken, and says whether it did.
   */
  admit(remoteAddress: string, makeRoom?: () => boolean): SmtpReply | null;
  release(remoteAddress: string): void;
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
  const byClient = new Map<string, number>();
  const connections = createTokenBuckets(nowMs);
  const messages = createTokenBuckets(nowMs);
  const byteBuckets = createTokenBuckets(nowMs);
  const isExempt = (remoteAddress: string) => limits.loopbackExempt && isLoopback(remoteAddress);
  let total = 0;
  return {
    get crowded() {
      return total * 2 > limits.connectionsMax;
    },
    admit(remoteAddress, makeRoom = () => false) {
      const client = clientOf(remoteAddress);
      const count = byClient.get(client) ?? 0;
      if (!isExempt(remoteAddress)) {
        if (count >= limits.connectionsPerClientMax) return replies.tooManyFromAddress;
        if (connections.take(client, limits.connectionRate).waitMs > 0) return replies.tooOftenFromAddress;
      }
      // Only now: a client that has had its share must not send others away.
      if (total >= limits.connectionsMax && !makeRoom()) return replies.tooManyConnections;
      byClient.set(client, (byClient.get(client) ?? 0) + 1);
      total += 1;
      return null;
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
      return Math.min(
        byteBuckets.look(clientOf(remoteAddress), limits.byteRate).waitMs,
        limits.byteWaitMsMax,
      );
    },
    release(remoteAddress) {
      const client = clientOf(remoteAddress);
      const count = byClient.get(client) ?? 0;
      if (count === 0) return;
      total -= 1;
      if (count === 1) byClient.delete(client);
      else byClient.set(client, count - 1);
    },
  };
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
