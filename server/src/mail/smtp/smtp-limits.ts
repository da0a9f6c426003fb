import type { Rate } from '../../lib/admission/rate.ts';

/** The limits of one server, and of one client. */
export interface SmtpLimits {
  /** Fewer if the process can open few files: a quarter of them. */
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
  /** The number of commands that are refused permanently before a connection is closed; an accepted message resets the count. */
  errorsMax: number;
  /** The number of commands before a connection is closed; an accepted message resets the count. */
  commandsMax: number;
  receivedLinesMax: number;
  /**
   * The time for which a client must stay silent before the greeting (RFC 5321, section 4.3.1). A client that sends something is not a mail
   * server.
   */
  greetingPauseMs: number;
  /** Without a byte from the client (RFC 5321, section 4.5.3.2.7: at least five minutes). */
  idleTimeoutMs: number;
  /** The time for which a greeted client can stay silent. */
  firstCommandTimeoutMs: number;
  /** How long a client may say nothing between two messages, where it has named no sender. */
  restTimeoutMs: number;
  /** The time for which a client can be connected without a message once more than half of the connections are taken. */
  crowdedIdleTimeoutMs: number;
  /** From 354 to the final dot, however steadily bytes drip in. */
  dataTimeoutMs: number;
  /** A message that has taken this long, at fewer bytes a second, is cut once more than half of the connections are taken. */
  drippingAfterMs: number;
  drippingBytesPerSecond: number;
  /** The time limit of a callback, after which the client gets 451. */
  answerTimeoutMs: number;
}

/** The default limits of a server. */
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
