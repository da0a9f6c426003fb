/*
 * Simulates recipients that do what their address says, to test every possible outcome of a send. They are placed in front of the real
 * transport, so that they exist with each of them. Their outcomes are recorded, suppressed and reported like those of any other recipient.
 */

import { sha256 } from '../../lib/crypto/bytes.ts';
import { domainOf } from '../../lib/email-address.ts';
import { cutBytes } from '../../lib/texts.ts';
import type { OutgoingMail } from '../compose/compose-mail.ts';
import { keepReferences } from '../compose/header-fields.ts';
import { replySubject } from '../compose/reply-texts.ts';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { SmtpReply } from '../smtp/smtp-callbacks.ts';
import { type AnswerKind, scriptOf, simulatedDelivery } from './simulator-scripts.ts';
import { deferredByRelay, type Outcome, type Transport, type TransportJob } from './transport.ts';

/** The functions by which the simulator reads a message and replies to it. */
interface SimulatorSurroundings {
  parse(raw: Buffer, envelopeFrom: string): Promise<ParsedMail>;
  compose(mail: OutgoingMail): Promise<Buffer>;
  /** Receives a reply as if it had come by SMTP. */
  deliverLocally(answer: Answer): Promise<SmtpReply>;
}

/** Returns the transport with the addresses of `domain` simulated. Mail to all other addresses is sent by the transport itself. */
export function createSimulatorTransport(
  transport: Transport,
  domain: string,
  { parse, compose, deliverLocally }: SimulatorSurroundings,
): Transport {
  const inFlight = new Set<Promise<Outcome>>();
  let closed = false;
  const isSimulated = (address: string) => domainOf(address) === domain;

  async function simulate({
    raw,
    envelopeFrom,
    recipient,
    attempt,
    onHandover,
  }: TransportJob): Promise<Outcome> {
    const script = scriptOf(recipient, attempt);
    if (script.outcome.kind !== 'accepted') return script.outcome;
    const answer =
      script.answer &&
      (await composeAnswer(script.answer, recipient, await parse(raw, envelopeFrom), compose));
    await onHandover();
    if (script.answer === null) return script.outcome;
    if (answer === null) return simulatedDelivery('delivered; automatic mail is not answered');
    const { code, enhanced, text } = await deliverLocally(answer);
    const isTemporary = code >= 400 && code < 500;
    return isTemporary ? deferredByRelay(`${code} ${enhanced} ${text}`) : script.outcome;
  }

  return {
    name: transport.name,
    submit: async (job) => {
      if (!isSimulated(job.recipient)) return transport.submit(job);
      if (closed || job.signal?.aborted) return deferredByRelay('The transport is closing.');
      const outcome = simulate(job);
      inFlight.add(outcome);
      return outcome.finally(() => inFlight.delete(outcome));
    },
    check: () => transport.check(),
    close: async (graceMs) => {
      closed = true;
      await Promise.all([transport.close(graceMs), Promise.allSettled(inFlight)]);
    },
  };
}

/** A mail that replies to another one, ready to be received. */
export interface Answer {
  raw: Buffer;
  envelopeFrom: string;
  recipient: string;
}

const quotedBytesMax = 65_536;

/**
 * Returns the reply of the simulated recipient `from` to a message, or null if nobody may reply to it. The same message gives the same
 * bytes, so that a reply that is repeated after a crash is recognized as a duplicate by its receiver.
 */
async function composeAnswer(
  kind: AnswerKind,
  from: string,
  original: ParsedMail,
  compose: (mail: OutgoingMail) => Promise<Buffer>,
): Promise<Answer | null> {
  // Two automatic systems that reply to each other would never stop (RFC 3834, section 2).
  if (original.autoSubmitted || original.from === null) return null;
  const id = sha256(`${from} ${original.messageId}`).toString('hex').slice(0, 32);
  const raw = await compose({
    from: { name: null, address: from },
    to: [original.from],
    messageId: `<${id}@${domainOf(from)}>`,
    inReplyTo: original.messageId,
    references: keepReferences([...ancestorsOf(original), original.messageId ?? '']),
    date: original.date ?? new Date(0),
    ...(kind === 'automatic' ? vacation(original) : echo(original)),
  });
  return { raw, envelopeFrom: kind === 'automatic' ? '' : from, recipient: original.from.address };
}

/** Returns the references of a mail. If it has none, a single id in In-Reply-To takes their place (RFC 5322, section 3.6.4). */
function ancestorsOf({ references, inReplyTo }: ParsedMail): string[] {
  return references.length === 0 && inReplyTo.length === 1 ? inReplyTo : references;
}

type Content = Pick<OutgoingMail, 'subject' | 'text' | 'autoReplied'>;

/** Returns the reply of a vacation program, by RFC 3834, sections 3.1.5 and 5. */
function vacation({ subject }: ParsedMail): Content {
  return {
    subject: `Auto: ${subject}`,
    text: 'I am out of the office and will read your message when I am back.\n',
    autoReplied: true,
  };
}

function echo({ subject, text, date, from }: ParsedMail): Content {
  const quoted = cutBytes(text ?? '', quotedBytesMax)
    .text.trimEnd()
    .replace(/^/gm, '> ');
  const heading = `On ${(date ?? new Date(0)).toUTCString()}, ${from?.address} wrote:`;
  return {
    subject: replySubject(subject),
    text: `Your message arrived.\n\n${heading}\n${quoted}\n`,
  };
}
