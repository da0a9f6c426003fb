/** The time limits for the peer, in milliseconds. */
export interface RelayTiming {
  connectTimeoutMs: number;
  greetingTimeoutMs: number;
  /** For EHLO and STARTTLS; for AUTH; for MAIL, RCPT and DATA together; for RSET. */
  commandTimeoutMs: number;
  /** For each 64 KB of content. */
  dataBlockTimeoutMs: number;
  /** From MAIL to the final dot, and as much again for each 10 MB of content. */
  transferTimeoutMs: number;
  /** From the final dot to its reply: 10 minutes by RFC 5321, section 4.5.3.2.6. */
  afterDotTimeoutMs: number;
}

const transferBytes = 10_000_000;

/** Returns how long a peer may take for a message of a size until the final dot, in milliseconds. */
export function transferLimitMs({ transferTimeoutMs }: RelayTiming, sizeBytes: number): number {
  return transferTimeoutMs * (1 + sizeBytes / transferBytes);
}

/** Returns the time limits, shortened. */
export function scaleTiming(timing: RelayTiming, scaleMs: (durationMs: number) => number): RelayTiming {
  return {
    connectTimeoutMs: scaleMs(timing.connectTimeoutMs),
    greetingTimeoutMs: scaleMs(timing.greetingTimeoutMs),
    commandTimeoutMs: scaleMs(timing.commandTimeoutMs),
    dataBlockTimeoutMs: scaleMs(timing.dataBlockTimeoutMs),
    transferTimeoutMs: scaleMs(timing.transferTimeoutMs),
    afterDotTimeoutMs: scaleMs(timing.afterDotTimeoutMs),
  };
}
