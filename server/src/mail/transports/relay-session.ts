import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import SMTPConnection, { type SMTPConnectionEnvelope } from 'nodemailer/lib/smtp-connection';
import { RelayFailure, toFailure, toTlsFailure } from './classify-reply.ts';
import type { HandoverPhase, HandoverSource } from './handover-source.ts';
import type { Relay } from './relay.ts';
import { type Done, type RelayTiming, type RunningStep, runStep } from './run-step.ts';

/** One message for one recipient. Its bytes come from `source`. */
export interface RelayDelivery {
  envelopeFrom: string;
  recipient: string;
  sizeBytes: number;
  /** Whether the message has bytes above 127, as UTF-8 addresses in its header do (RFC 6532). */
  eightBit: boolean;
  source: HandoverSource;
}

/** The parameters for opening a session. */
export interface SessionSettings {
  relay: Relay;
  /** The name that is sent with EHLO. */
  hostname: string;
  timing: RelayTiming;
  /** A connection to the relay, if there is one already. The session closes it. */
  socket?: Socket;
  signal?: AbortSignal | undefined;
}

const quitTimeoutMs = 2_000;
const replyBytesMax = 65_536;

/** One connection to the relay, greeted and authenticated, that carries one message after another. */
export class RelaySession {
  readonly #connection: SMTPConnection;
  readonly #closed: Promise<void>;
  #takesUtf8 = false;
  #running: RunningStep | null = null;
  #served = 0;

  /** The server at the other end. */
  readonly relay: Relay;
  readonly timing: RelayTiming;

  private constructor(relay: Relay, connection: SMTPConnection, timing: RelayTiming) {
    this.relay = relay;
    this.#connection = connection;
    this.timing = timing;
    this.#closed = new Promise((resolve) => {
      connection.once('end', () => {
        const socket = connection._socket;
        if (!socket || socket.closed) resolve();
        else socket.once('close', () => resolve());
      });
    });
    // Every step has its own listener. If an idle connection breaks, that is not an error for anyone.
    connection.on('error', () => {});
  }

  /** Connects, sends EHLO, upgrades to TLS and authenticates, as `relay` requires. Rejects with a `RelayFailure` if any of that fails. */
  static async open({ relay, hostname, timing, socket, signal }: SessionSettings): Promise<RelaySession> {
    const connection = new SMTPConnection({
      host: relay.host,
      port: relay.port,
      secure: relay.tls === 'implicit',
      requireTLS: relay.tls === 'required',
      ignoreTLS: relay.tls === 'never',
      opportunisticTLS: relay.tls === 'opportunistic',
      tls: { rejectUnauthorized: relay.verifyCertificate, ...(relay.ca && { ca: relay.ca }) },
      name: hostname,
      ...(socket && { connection: socket }),
      // For nodemailer, it ends with the greeting and STARTTLS.
      connectionTimeout: socket
        ? timing.greetingTimeoutMs + timing.commandTimeoutMs
        : timing.connectTimeoutMs,
      greetingTimeout: timing.greetingTimeoutMs,
      // Silence is judged step by step in this file, so this timer must never expire first.
      socketTimeout: 2 * (timing.afterDotTimeoutMs + timing.dataBlockTimeoutMs + timing.commandTimeoutMs),
      socketCloseTimeout: 0,
      maxResponseSize: replyBytesMax,
    });
    const session = new RelaySession(relay, connection, timing);
    try {
      await session.#greet(signal);
      if (relay.auth !== null && connection.allowsAuth) await session.#signIn(relay.auth, signal);
      return session;
    } catch (error) {
      const isAtTls = relay.tls !== 'never' && session.#isAtTls;
      connection.close();
      // It is not the connection's before its first step.
      socket?.destroy();
      await session.#closed;
      throw isAtTls ? toTlsFailure(error) : error;
    }
  }

  /** Whether the connection is between STARTTLS and the end of the handshake. The last reply is that to EHLO until STARTTLS is answered. */
  get #isAtTls(): boolean {
    const { upgrading, secure, lastServerResponse } = this.#connection;
    return upgrading === true || (!secure && /^250[ -]STARTTLS\b/im.test(String(lastServerResponse)));
  }

  /** The number of messages that were begun on this connection. */
  get served(): number {
    return this.#served;
  }

  get alive(): boolean {
    return !this.#connection.destroyed;
  }

  get encrypted(): boolean {
    return this.#connection.secure;
  }

  /** Resolves once the socket has closed. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /** Whether the peer announced SMTPUTF8 (RFC 6531). */
  get takesUtf8(): boolean {
    return this.#takesUtf8;
  }

  /** Sends one message and resolves to the 2xx reply to its final dot. Rejects with a `RelayFailure`. */
  async deliver(delivery: RelayDelivery, signal?: AbortSignal): Promise<string> {
    const { source } = delivery;
    const envelope: Partial<SMTPConnectionEnvelope> = {
      from: delivery.envelopeFrom,
      to: [delivery.recipient],
      size: delivery.sizeBytes,
      use8BitMime: delivery.eightBit,
    };
    this.#served += 1;
    try {
      const reply = await this.#run<string>(this.timing.commandTimeoutMs, 'envelope', signal, (done) =>
        this.#connection.send(envelope, source.stream, (error, info) => done(error, info?.response)),
      );
      if (source.phase() === 'complete') return reply;
      throw new RelayFailure('The server responded before it had the complete message.');
    } catch (error) {
      // A peer that is still owed content would take the next command for a part of it.
      if (source.phase() === 'asking' || source.phase() === 'content') this.#connection.close();
      const failure = toFailure(error);
      // With pipelining, a peer can refuse the recipient and close the connection before it replies to DATA.
      const refused = failure.reply === null && source.phase() === 'envelope' && envelope.rejectedErrors?.[0];
      throw refused ? toFailure(refused) : failure;
    }
  }

  /** Tells the current delivery how far its source has got, which decides the time limit of the peer from now on. */
  progressed(phase: HandoverPhase): void {
    if (phase === 'content') this.#gather();
    if (phase === 'complete') this.#running?.restart(this.timing.afterDotTimeoutMs, 'the final dot');
    else this.#running?.restart(this.timing.dataBlockTimeoutMs, 'a block of content');
  }

  /** Ends a refused transaction so that the next one can begin. Closes the connection if that fails. */
  async reset(): Promise<void> {
    try {
      await this.#run<void>(this.timing.commandTimeoutMs, 'RSET', undefined, (done) =>
        this.#connection.reset((error) => done(error)),
      );
    } catch {
      this.#connection.close();
    }
  }

  /** Sends QUIT, waits at most two seconds for the reply, and closes. Resolves once the socket has closed. */
  async quit(): Promise<void> {
    if (this.alive) {
      this.#connection.quit();
      await this.#closesWithin(quitTimeoutMs);
      this.#connection.close();
    }
    await this.#closed;
  }

  /** Closes at once. A running step fails with the reason. */
  destroy(reason: string): void {
    this.#running?.cut(reason);
    this.#connection.close();
  }

  /** Sends everything written within this turn of the event loop at once: a short message with its final dot. */
  #gather(): void {
    const socket = this.#connection._socket;
    if (!socket) return;
    socket.cork();
    setImmediate(() => socket.uncork());
  }

  async #closesWithin(timeoutMs: number): Promise<void> {
    const timer = new AbortController();
    const timeout = sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([this.#closed, timeout]);
    timer.abort();
  }

  async #greet(signal: AbortSignal | undefined): Promise<void> {
    const { connectTimeoutMs, greetingTimeoutMs, commandTimeoutMs } = this.timing;
    const connection = this.#connection;
    await this.#run<void>(connectTimeoutMs + greetingTimeoutMs + commandTimeoutMs, 'EHLO', signal, (done) => {
      connection.connect((error) => {
        if (!error) this.#readExtensions();
        done(error);
      });
    });
  }

  /** Reads the lines of the EHLO reply that counts, which is not the last reply if STARTTLS was refused, and forgets them. */
  #readExtensions(): void {
    const connection: { _ehloLines?: string[] } = this.#connection as object;
    this.#takesUtf8 = (connection._ehloLines ?? []).some((line) => /^SMTPUTF8(?: |$)/i.test(line));
    connection._ehloLines = [];
  }

  async #signIn(auth: NonNullable<Relay['auth']>, signal: AbortSignal | undefined): Promise<void> {
    await this.#run<void>(this.timing.commandTimeoutMs, 'AUTH', signal, (done) =>
      this.#connection.login({ ...auth }, (error) => done(error)),
    );
  }

  #run<Value>(
    timeoutMs: number,
    awaited: string,
    signal: AbortSignal | undefined,
    start: (done: Done<Value>) => void,
  ): Promise<Value> {
    const onRunning = (running: RunningStep | null) => {
      this.#running = running;
    };
    return runStep<Value>(this.#connection, { timeoutMs, awaited, signal, start, onRunning });
  }
}
