import type { SMTPServerDataStream } from 'smtp-server';
import { withinTime } from '../../lib/concurrency/wait.ts';
import type { EnvelopeRecipient, SmtpCallbacks, SmtpLog, SmtpReply } from './smtp-callbacks.ts';
import type { InboundConnection } from './smtp-connection.ts';
import { MessageIntake } from './smtp-intake.ts';
import type { SmtpLimits } from './smtp-limits.ts';
import { isReply, replies, replyForError } from './smtp-replies.ts';

/** One message on its way in. */
export interface Reception<Tag> {
  connection: InboundConnection;
  stream: SMTPServerDataStream;
  recipients: EnvelopeRecipient<Tag>[];
  messageBytesMax: number;
  limits: SmtpLimits;
  callbacks: SmtpCallbacks<Tag>;
  log: SmtpLog;
}

/** A refused message is read to its end so that the sender hears why, but not for ever. */
const drainFactorMax = 4;

/** Takes a message and resolves with the answer for it once the client has sent its end; never rejects. */
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

/** The owner's answer; how long it may take counts from when the client has sent everything. */
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
