import { Transform, type TransformCallback } from 'node:stream';
import type { SMTPServerDataStream } from 'smtp-server';
import { withinTime } from '../../lib/concurrency/wait.ts';
import type { EnvelopeRecipient, SmtpCallbacks, SmtpLog, SmtpReply } from './smtp-callbacks.ts';
import type { InboundConnection } from './smtp-connection.ts';
import type { SmtpLimits } from './smtp-limits.ts';
import { isReply, replies, replyForError } from './smtp-lines.ts';

/** One message on its way in. */
interface Reception<Tag> {
  connection: InboundConnection;
  stream: SMTPServerDataStream;
  recipients: EnvelopeRecipient<Tag>[];
  messageBytesMax: number;
  limits: SmtpLimits;
  callbacks: SmtpCallbacks<Tag>;
  log: SmtpLog;
}

/** A refused message is read to its end so that the sender gets the reason, but not forever. */
const drainFactorMax = 4;

/** Takes a message and resolves with the reply to it once the client has sent its end; never rejects. */
export async function receiveMessage<Tag>(reception: Reception<Tag>): Promise<SmtpReply> {
  const { connection, stream, limits, messageBytesMax } = reception;
  const intake = new MessageIntake({ bytesMax: messageBytesMax, receivedLinesMax: limits.receivedLinesMax });
  const ended = new Promise<void>((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
  });
  const deadline = setTimeout(() => {
    connection.sayGoodbye(replies.dataTooSlow, 'timeout');
    stream.destroy();
    intake.destroy(new Error(replies.dataTooSlow.text));
  }, limits.dataTimeoutMs);
  void ended.then(() => clearTimeout(deadline));
  feed(reception, intake);
  const reply = await askOwner(reception, intake, ended);
  if (intake.destroyed || intake.readableEnded) drain(reception);
  else intake.resume();
  await ended;
  return finalReply(reception, intake, reply);
}

function feed<Tag>(reception: Reception<Tag>, intake: MessageIntake): void {
  const { stream } = reception;
  stream.on('error', (error) => intake.destroy(error));
  stream.once('close', () => {
    if (!stream.readableEnded)
      intake.destroy(new Error('The client was lost before the end of the message.'));
  });
  // The client still has to send its message to the end when the intake gives up.
  intake.once('close', () => drain(reception));
  // The failure is the owner's to handle; without one listening it must not end the process.
  intake.on('error', () => undefined);
  stream.pipe(intake);
}

function drain<Tag>({ connection, stream, messageBytesMax }: Reception<Tag>): void {
  if (stream.readableEnded || stream.destroyed) return;
  stream.unpipe();
  stream.removeAllListeners('data');
  stream.on('data', () => {
    if (stream.byteLength <= drainFactorMax * messageBytesMax) return;
    connection.sayGoodbye({ ...replies.tooLarge, code: 421, enhanced: '4.7.0' }, 'size');
    stream.destroy();
  });
  stream.resume();
}

/** Returns the owner's reply. Its time counts from when the client has sent everything. */
async function askOwner<Tag>(
  { connection, callbacks, recipients, limits, log }: Reception<Tag>,
  intake: MessageIntake,
  ended: Promise<void>,
): Promise<SmtpReply> {
  const { envelope } = connection.session;
  const from = envelope.mailFrom ? envelope.mailFrom.address : '';
  const session = connection.describeSession();
  try {
    const answer = callbacks.onData(
      session,
      { from, recipients, smtpUtf8: envelope.smtpUtf8 === true },
      intake,
    );
    const late = ended.then(() => withinTime(answer, limits.answerTimeoutMs, null));
    const reply = await Promise.race([answer, late]);
    if (reply !== null && isReply(reply)) return reply;
    log.warn({ session, reply }, 'A message got an invalid reply.');
    return fail(connection, replies.localError);
  } catch (error) {
    if (intake.errored) return replyForError(error);
    log.warn({ err: error, session }, 'A message could not be accepted.');
    return fail(connection, replyForError(error));
  }
}

function fail(connection: InboundConnection, reply: SmtpReply): SmtpReply {
  connection.report(reply, 'failure');
  return reply;
}

function finalReply<Tag>({ connection }: Reception<Tag>, intake: MessageIntake, reply: SmtpReply): SmtpReply {
  if (intake.refusal) {
    connection.report(intake.refusal.reply, intake.refusal.reason);
    return intake.refusal.reply;
  }
  // A yes to a message that was not read to its end would lose the rest of it.
  return reply.code < 400 && !intake.complete ? replies.localError : reply;
}

/** A message in transit is refused for what it is; `reply` is the reply to the client. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
  readonly reply: SmtpReply;
  readonly reason: 'size' | 'loop';

  constructor(reason: 'size' | 'loop') {
    const reply = reason === 'size' ? replies.tooLarge : replies.mailLoop;
    super(reply.text);
    this.reply = reply;
    this.reason = reason;
  }
}

/** The limits of a message that passes. */
interface IntakeLimits {
  bytesMax: number;
  receivedLinesMax: number;
}

const newline = 0x0a;
const receivedName = 'received:';
/** A header section of this length no longer lists only relays, so counting stops. */
const headerBytesMax = 1_048_576;

/**
 * Passes a message through, and counts its bytes and the `Received:` lines of its header (RFC 5321, section 6.3). Fails with MessageRefused
 * at the first byte or line over the limit, so the reader never gets the end of such a message.
 */
export class MessageIntake extends Transform {
  readonly #limits: IntakeLimits;
  #bytes = 0;
  #receivedLines = 0;
  #inHeader = true;
  /** The start of the line that a chunk ended in, as far as it matters for recognising it. */
  #lineStart = '';
  #ended = false;

  constructor(limits: IntakeLimits) {
    super();
    this.#limits = limits;
  }

  /** The reason why the message was refused; null while it is not. */
  get refusal(): MessageRefused | null {
    return this.errored instanceof MessageRefused ? this.errored : null;
  }

  /** Whether the client sent the message to its end. */
  get complete(): boolean {
    return this.#ended;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#inHeader) this.#countReceived(chunk);
    if (this.#bytes > this.#limits.bytesMax) done(new MessageRefused('size'));
    else if (this.#receivedLines > this.#limits.receivedLinesMax) done(new MessageRefused('loop'));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.#ended = true;
    done();
  }

  #countReceived(chunk: Buffer): void {
    if (this.#bytes > headerBytesMax) {
      this.#inHeader = false;
      return;
    }
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#lineStart + startOf(chunk, start, end, this.#lineStart);
      this.#lineStart = '';
      start = end + 1;
      if (line === '' || line === '\r') {
        this.#inHeader = false;
        return;
      }
      if (line.toLowerCase() === receivedName) this.#receivedLines += 1;
    }
    this.#lineStart += startOf(chunk, start, chunk.length, this.#lineStart);
  }
}

function startOf(chunk: Buffer, start: number, end: number, known: string): string {
  return chunk.toString('latin1', start, Math.min(end, start + receivedName.length - known.length));
}
