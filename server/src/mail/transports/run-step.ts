import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { RelayFailure, toFailure } from './classify-reply.ts';

/** Called with the result of a step, or with the reason why it failed. */
export type Done<Value> = (error: Error | null | undefined, value?: Value) => void;

/** A step that waits for the peer. */
export interface RunningStep {
  /** Fails the step with a reason, and closes the connection. */
  cut(reason: string): void;
  /** Gives the peer a new time limit. `awaited` says for what. */
  restart(timeoutMs: number, awaited: string): void;
}

/** A step to run, and its limits. */
interface Step<Value> {
  timeoutMs: number;
  /** The command or the part of a session that the peer must reply to, such as `EHLO`. */
  awaited: string;
  signal: AbortSignal | undefined;
  start(done: Done<Value>): void;
  /** Called with the step once it runs, and with null once it has ended. */
  onRunning(running: RunningStep | null): void;
}

/**
 * Runs one step of a session until it calls back, the connection ends, its time is up or it is cut. Rejects with a `RelayFailure`.
 */
export function runStep<Value>(connection: SMTPConnection, step: Step<Value>): Promise<Value> {
  const { timeoutMs, awaited, signal, start, onRunning } = step;
  return new Promise<Value>((resolve, reject) => {
    let timer: NodeJS.Timeout;
    let settled = false;
    const settle: Done<Value> = (error, value) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      onRunning(null);
      connection.off('error', settle).off('end', onEnd);
      signal?.removeEventListener('abort', onAbort);
      if (error) reject(toFailure(error));
      else resolve(value as Value);
    };
    const cut = (reason: string) => {
      settle(new RelayFailure(reason));
      connection.close();
    };
    const restart = (ms: number, what: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => cut(`The server did not respond to ${what} within ${ms / 1000} s.`), ms);
    };
    const onAbort = () => cut('The attempt was cancelled.');
    // The connection's end is reported before the error of the step, which has more details.
    const onEnd = () => setImmediate(settle, new RelayFailure('The server closed the connection.'));
    onRunning({ cut, restart });
    connection.on('error', settle).on('end', onEnd);
    signal?.addEventListener('abort', onAbort);
    restart(timeoutMs, awaited);
    if (signal?.aborted) onAbort();
    else start(settle);
  });
}

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
