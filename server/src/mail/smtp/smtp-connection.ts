import type { Socket } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import type { RefusalReason, SmtpReply, SmtpSession } from './smtp-callbacks.ts';
import type { SmtpLimits } from './smtp-limits.ts';
import {
  enhancedOfClosing,
  formatReplyText,
  leadingEnhancedCode,
  type PathCommand,
  parsePathCommand,
  refuseParameters,
  replies,
} from './smtp-lines.ts';

/** The reports of a connection to the server that it belongs to. */
export interface ConnectionOwner {
  limits: SmtpLimits;
  /** The connection refused something itself. */
  onRefused(connection: InboundConnection, reply: SmtpReply, reason: RefusalReason): void;
}

/** How long a closed connection waits for the client to close its side when the server stops. */
const lingerMs = 500;

/**
 * One client's session. It adds to the protocol library what its options cannot say: addresses as they were written, enhanced
 * codes of our own, a pause before the greeting, limits on errors and commands, and a goodbye that lets a running DATA finish.
 */
export class InboundConnection extends SMTPConnection {
  readonly #owner: ConnectionOwner;
  #commandName = '';
  #path: PathCommand | null = null;
  #errors = 0;
  #commands = 0;
  /** Since when there was no whole message from the client. */
  #waitingSince = performance.now();
  #heardAt = performance.now();
  #receivingSince = 0;
  /** The `traceparent` of the session's span. */
  traceparent: string | null = null;
  /** The next reply is the owner's own decision, which it knows already. */
  #decidedOutside = false;

  constructor(
    server: SMTPServer,
    socket: Socket,
    options: SMTPConnectionOptions | null,
    owner: ConnectionOwner,
  ) {
    super(server, socket, options);
    this.#owner = owner;
  }

  override init(): void {
    this.#watchSilence();
    const { greetingPauseMs } = this.#owner.limits;
    this._setListeners(() => void setTimeout(() => this.connectionReady(), greetingPauseMs).unref());
  }

  /** Sends a client away that has said nothing for too long and has no message on its way. */
  #watchSilence(): void {
    const { firstCommandTimeoutMs, restTimeoutMs } = this.#owner.limits;
    const look = () => {
      const silentMs = performance.now() - this.#heardAt;
      const silentMsMax = this.#commands === 0 ? firstCommandTimeoutMs : restTimeoutMs;
      if (this.receiving || this.hasEnvelope) timer = setTimeout(look, silentMsMax).unref();
      else if (silentMs < silentMsMax) timer = setTimeout(look, silentMsMax - silentMs).unref();
      else this.sayGoodbye(replies.saysNothing, 'timeout');
    };
    let timer = setTimeout(look, firstCommandTimeoutMs).unref();
    this._socket.once('close', () => clearTimeout(timer));
  }

  /** The session as callbacks see it. */
  describeSession(): SmtpSession {
    const { id, remoteAddress, hostNameAppearsAs, secure, traceparent } = this;
    const helo = hostNameAppearsAs === false ? null : hostNameAppearsAs;
    return { id, remoteAddress, helo, tls: secure, traceparent };
  }

  /** The sender of the message on its way or, when its MAIL command was just refused, the sender that it named. */
  describeEnvelopeFrom(): string | null {
    const sender = this.session.envelope?.mailFrom;
    if (sender) return sender.address;
    return this.#commandName === 'MAIL' ? (this.#path?.address ?? null) : null;
  }

  /** The recipients accepted so far, and the one that is being checked. */
  describeRecipients(): string[] {
    const taken = this.session.envelope?.rcptTo.map(({ address }) => address) ?? [];
    const asked = this.#commandName === 'RCPT' ? this.#path?.address : undefined;
    return asked === undefined || taken.includes(asked) ? taken : [...taken, asked];
  }

  /** Announces that the library's next reply is the owner's decision. */
  expectDecision(): void {
    this.#decidedOutside = true;
  }

  /** A message was taken: the client does honest work, so its errors are forgotten. */
  forgiveErrors(): void {
    this.#errors = 0;
    this.#commands = 0;
  }

  /** Whether a message is being received or waits for its reply. */
  get receiving(): boolean {
    return Boolean(this._dataStream);
  }

  /** A message begins to come. */
  beginReceiving(): void {
    this.#receivingSince = performance.now();
  }

  /** Whether a message comes so slowly that it is only there to keep the connection. */
  get dripping(): boolean {
    const { drippingAfterMs, drippingBytesPerSecond } = this.#owner.limits;
    const receivingMs = performance.now() - this.#receivingSince;
    const isComing = this._dataStream && !this._dataStream.writableEnded;
    if (!isComing || receivingMs < drippingAfterMs) return false;
    const bytes = this._parser ? this._parser.dataBytes : 0;
    return bytes < (drippingBytesPerSecond * receivingMs) / 1_000;
  }

  /** A message was answered: the client has as long as a new one for the next. */
  renew(): void {
    this.#waitingSince = performance.now();
    this.#heardAt = this.#waitingSince;
  }

  /** The time for which the client has been connected without a message, in milliseconds. */
  get waitedMs(): number {
    return performance.now() - this.#waitingSince;
  }

  /** Whether the client has named a sender and sends nothing yet. */
  get hasEnvelope(): boolean {
    return Boolean(this.session.envelope?.mailFrom);
  }

  /** Tells the owner of a refusal, unless all that happened is that a client without a message was sent away. */
  report(reply: SmtpReply, reason: RefusalReason): void {
    const harmless = reason === 'timeout' || reason === 'shutdown';
    if (!harmless || this.describeEnvelopeFrom() !== null) this.#owner.onRefused(this, reply, reason);
  }

  /** Says 421 with the reply's text and closes the connection. */
  sayGoodbye(reply: SmtpReply, reason: RefusalReason): void {
    this.report(reply, reason);
    super.send(421, formatReplyText(reply), false);
  }

  /** Closes the connection for good, soon: a client that never closes its side does not hold up the end of the server. */
  leave(): void {
    this.sayGoodbye(replies.shuttingDown, 'shutdown');
    const socket = this._socket;
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  /** Ends the connection for another client's sake, as soon as the reply is written. */
  giveWay(): void {
    this.sayGoodbye(replies.givesWay, 'connections');
    this._socket.destroySoon();
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (code < 400 || typeof data !== 'string') {
      this.#decidedOutside = false;
      const hasCode = typeof data === 'string' && leadingEnhancedCode(data) !== null;
      super.send(code, data, hasCode ? false : context);
      return;
    }
    const enhanced =
      leadingEnhancedCode(data) ??
      (code === 421 ? enhancedOfClosing(data) : this._getEnhancedStatusCode(code, context));
    const text = leadingEnhancedCode(data) === null ? data : data.slice(enhanced.length + 1);
    const outside = this.#decidedOutside;
    this.#decidedOutside = false;
    if (!outside) this.report({ code, enhanced, text }, refusalReason(code, enhanced, text));
    super.send(code, enhanced === '' ? text : formatReplyText({ code, enhanced, text }), false);
    // A 4xx is not the client's mistake: a client that names a thousand recipients must still deliver to the first hundred.
    if (code >= 500) this.#errors += 1;
    if (code >= 500 && this.#errors >= this.#owner.limits.errorsMax)
      this.sayGoodbye(replies.tooManyErrors, 'errors');
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.#commandName = command.toString('latin1').trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '';
    this.#path = null;
    this.#commands += 1;
    this.#heardAt = performance.now();
    if (this.#commands > this.#owner.limits.commandsMax && !this._upgrading)
      this.sayGoodbye(replies.tooManyCommands, 'commands');
    else super._onCommand(command, callback);
  }

  override _parseAddressCommand(name: string, command: Buffer | string): PathCommand | false {
    this.#path = parsePathCommand(name === 'mail from' ? 'MAIL FROM' : 'RCPT TO', command.toString());
    return this.#path ?? false;
  }

  override _rejectInvalidParams(path: PathCommand, keys: string[], callback: () => void): boolean {
    const refusal = refuseParameters(this.#commandName === 'MAIL' ? 'MAIL FROM' : 'RCPT TO', path.args);
    if (!refusal) return super._rejectInvalidParams(path, keys, callback);
    this.send(refusal.code, formatReplyText(refusal));
    callback();
    return true;
  }
}

function refusalReason(code: number, enhanced: string, text: string): RefusalReason {
  if (enhanced === '5.3.4') return 'size';
  if (enhanced === '4.5.3') return 'recipients';
  if (enhanced === '4.7.1') return 'rate';
  if (enhanced === '4.3.2') return 'shutdown';
  if (enhanced === '4.4.2') return 'timeout';
  if (code === 421 && /too many/i.test(text)) return 'errors';
  return enhanced.startsWith('4.3') ? 'failure' : 'protocol';
}
