import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { withinTime } from '../../lib/concurrency/wait.ts';
import { type ListenAddress, listen, type MoreListeners } from '../../lib/start/listen.ts';
import type { Tracing } from '../../lib/tracing.ts';
import type { ServedCertificates } from '../../tls/served-certificates.ts';
import type { TlsCertificate } from '../../tls/tls-certificate.ts';
import type {
  EnvelopeRecipient,
  RcptVerdict,
  RefusalReason,
  SmtpCallbacks,
  SmtpLog,
  SmtpRefusal,
  SmtpReply,
} from './smtp-callbacks.ts';
import { createClientCounts, WaitingClients } from './smtp-clients.ts';
import { type ConnectionOwner, InboundConnection } from './smtp-connection.ts';
import type { SmtpLimits } from './smtp-limits.ts';
import { formatReplyText, isReply, replies, replyForError } from './smtp-lines.ts';
import { receiveMessage } from './smtp-receive.ts';

/** The parts of the listener. */
export interface ListenerParts<Tag> {
  hostname: string;
  tls: ServedCertificates | null;
  messageBytesMax: number;
  limits: SmtpLimits;
  callbacks: SmtpCallbacks<Tag>;
  log: SmtpLog;
  tracing: Tracing;
  report(refusal: SmtpRefusal<Tag>): void;
}

type ProtocolParts = Pick<ListenerParts<unknown>, 'hostname' | 'tls' | 'messageBytesMax' | 'limits'>;
type Done = (error?: Error | null) => void;

/** The time for which a refused connection can read its 421. */
const refusedLingerMs = 1_000;

/** The protocol library's server, with our connections, our limits and an orderly end. */
export class InboundServer<Tag> extends SMTPServer implements ConnectionOwner {
  readonly limits: SmtpLimits;
  readonly #parts: ListenerParts<Tag>;
  readonly #counts;
  readonly #sockets = new Set<Socket>();
  readonly #waiting;
  readonly #connectionOf = new WeakMap<SMTPServerSession, InboundConnection>();
  readonly #tagOf = new WeakMap<SMTPServerAddress, Tag>();
  readonly #endRenewals: () => void;
  #more: MoreListeners | null = null;
  #stopping = false;

  constructor(parts: ListenerParts<Tag>) {
    super(protocolOptions(parts));
    this.limits = parts.limits;
    this.#parts = parts;
    this.#counts = createClientCounts(parts.limits);
    this.#waiting = new WaitingClients(parts.limits, () => this.#counts.crowded);
    const { tls, hostname } = parts;
    this.#endRenewals =
      tls?.onReplaced(() => this.updateSecureContext(pairFor(tls, hostname))) ?? (() => undefined);
    this.on('error', (error) => parts.log.debug({ err: error }, 'An SMTP connection failed.'));
    this.onMailFrom = (_sender, session, done) => {
      const refusal = this.#counts.begin(session.remoteAddress);
      if (refusal) return done(replyError(refusal));
      const dueMs = this.#counts.dueMs(session.remoteAddress);
      if (dueMs === 0) return done();
      setTimeout(done, dueMs).unref();
    };
    this.onRcptTo = (recipient, session, done) => void this.#askRecipient(recipient, session, done);
    this.onData = (stream, session, done) => {
      const connection = this.#find(session);
      connection.beginReceiving();
      const answered = receiveMessage({ ...parts, connection, stream, recipients: this.#taken(session) });
      void answered.then((reply) => {
        this.#counts.spend(session.remoteAddress, stream.byteLength);
        this.#answer(connection, reply, done);
      });
    };
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const remoteAddress = socket.remoteAddress ?? '';
    const admitted = this.#stopping
      ? replies.shuttingDown
      : this.#counts.admit(remoteAddress, () => this.#waiting.makeRoom());
    if (typeof admitted !== 'function') {
      this.#turnAway(socket, admitted);
      return;
    }
    this.#sockets.add(socket);
    const connection = new InboundConnection(this, socket, options ?? null, this);
    this.#waiting.add(connection, admitted);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#waiting.remove(connection);
      resolve();
    });
    this.#trace(connection, closed);
    this.#connectionOf.set(connection.session, connection);
    this.connections.add(connection);
    connection.on('error', (error) => this.emit('error', error));
    connection.init();
  }

  /** Makes a span of a session, which ends with it. */
  #trace(connection: InboundConnection, closed: Promise<void>): void {
    const { tracing, hostname } = this.#parts;
    const attributes = { 'network.protocol.name': 'smtp', 'server.address': hostname };
    void tracing.trace('SMTP session', { kind: 'server', parent: null, attributes }, () => {
      connection.traceparent = tracing.current();
      return closed;
    });
  }

  onRefused(connection: InboundConnection, reply: SmtpReply, reason: RefusalReason): void {
    this.#parts.report({
      ...reply,
      reason,
      session: connection.describeSession(),
      envelopeFrom: connection.describeEnvelopeFrom(),
      recipients: connection.describeRecipients(),
      taken: this.#taken(connection.session),
    });
  }

  /** See `SmtpServer.listen`. */
  async start(address: ListenAddress): Promise<{ port: number }> {
    this.#more = await listen(this.server, address);
    return { port: (this.server.address() as AddressInfo).port };
  }

  /** See `SmtpServer.close`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#endRenewals();
    const closed = Promise.all([
      new Promise<void>((resolve) => this.server.close(() => resolve())),
      this.#more?.close(),
    ]);
    for (const connection of this.connections)
      if (connection instanceof InboundConnection && !connection.receiving) connection.leave();
    await withinTime(closed, graceMs, undefined);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #find(session: SMTPServerSession): InboundConnection {
    const connection = this.#connectionOf.get(session);
    if (!connection) throw new Error('A session belongs to a connection.');
    return connection;
  }

  async #askRecipient(recipient: SMTPServerAddress, session: SMTPServerSession, done: Done): Promise<void> {
    const connection = this.#find(session);
    const verdict = await this.#decide(recipient, session, connection);
    if (verdict.accept) {
      this.#tagOf.set(recipient, verdict.tag);
      done();
    } else {
      connection.expectDecision();
      done(replyError(isReply(verdict) && verdict.code >= 400 ? verdict : replies.localError));
    }
  }

  async #decide(
    recipient: SMTPServerAddress,
    session: SMTPServerSession,
    connection: InboundConnection,
  ): Promise<RcptVerdict<Tag>> {
    const { callbacks, limits, log } = this.#parts;
    const from = session.envelope.mailFrom;
    let failure: SmtpReply = replies.localError;
    try {
      const asked = callbacks.onRcpt(
        connection.describeSession(),
        from ? from.address : '',
        recipient.address,
      );
      const verdict = await withinTime(asked, limits.answerTimeoutMs, null);
      if (verdict) return verdict;
      log.warn({ recipient: recipient.address }, 'A recipient was not decided on in time.');
    } catch (error) {
      log.warn({ err: error, recipient: recipient.address }, 'A recipient could not be decided on.');
      failure = replyForError(error);
    }
    connection.report(failure, 'failure');
    return { accept: false, ...failure };
  }

  #taken(session: SMTPServerSession): EnvelopeRecipient<Tag>[] {
    // A client that has just connected has no envelope.
    const { rcptTo = [] } = session.envelope ?? {};
    return rcptTo.flatMap((recipient) =>
      this.#tagOf.has(recipient)
        ? [{ address: recipient.address, tag: this.#tagOf.get(recipient) as Tag }]
        : [],
    );
  }

  #answer(
    connection: InboundConnection,
    reply: SmtpReply,
    done: (error?: Error | null, text?: string) => void,
  ): void {
    connection.expectDecision();
    this.#waiting.renew(connection);
    if (reply.code < 400) {
      connection.forgiveErrors();
      done(null, formatReplyText(reply));
    } else {
      done(replyError(reply));
    }
    if (this.#stopping) connection.leave();
  }

  #turnAway(socket: Socket, reply: SmtpReply): void {
    const { hostname, report } = this.#parts;
    socket.on('error', () => undefined);
    socket.end(`${reply.code} ${reply.enhanced} ${hostname} ${reply.text}\r\n`);
    setTimeout(() => socket.destroy(), refusedLingerMs).unref();
    if (this.#stopping) return;
    const session = { id: randomUUID(), remoteAddress: socket.remoteAddress ?? '', helo: null, tls: false };
    report({ ...reply, reason: 'connections', session, envelopeFrom: null, recipients: [], taken: [] });
  }
}

function replyError(reply: SmtpReply): Error {
  return Object.assign(new Error(formatReplyText(reply)), { responseCode: reply.code });
}

function protocolOptions({ hostname, tls, messageBytesMax, limits }: ProtocolParts): SMTPServerOptions {
  return {
    name: hostname,
    heloResponse: '%s greets %s',
    size: messageBytesMax,
    maxRecipients: limits.recipientsMax,
    socketTimeout: limits.idleTimeoutMs,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    authOptional: true,
    logger: false,
    disabledCommands: ['AUTH', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', ...(tls ? [] : ['STARTTLS'])],
    ...(tls && {
      ...pairFor(tls, hostname),
      minVersion: 'TLSv1.2',
      SNICallback: (name, done) => done(null, tls.find(name, hostname).context),
    }),
  };
}

/** Returns the certificate for clients that name no host. */
function pairFor(tls: ServedCertificates, hostname: string): TlsCertificate {
  const { cert, key } = tls.find(hostname);
  return { cert, key };
}
