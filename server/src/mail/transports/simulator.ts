/*
 * Simulates recipients that do what their address says, to test every possible outcome of a send. They are placed in front of the real
 * transport, so that they exist with each of them. Their outcomes are recorded, suppressed and reported like those of any other recipient.
 */
import { sha256 } from '../../lib/crypto/primitives.ts';
import { domainOf, stripPlusTag } from '../../lib/email-address.ts';
import { cutBytes } from '../../lib/texts.ts';
import type { OutgoingMail } from '../compose/compose-mail.ts';
import { keepReferences } from '../compose/header-fields.ts';
import { replySubject } from '../compose/reply-texts.ts';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { SmtpReply } from '../smtp/smtp-callbacks.ts';
import { newOwnMessageId } from './sandbox-transport.ts';
import {
  type Accepted,
  deferredByRelay,
  type Outcome,
  type Transport,
  type TransportJob,
} from './transport.ts';

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
    const script = findScript(recipient, attempt);
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
    references: keepReferences([...listAncestors(original), original.messageId ?? '']),
    date: original.date ?? new Date(0),
    ...(kind === 'automatic' ? vacation(original) : echo(original)),
  });
  return { raw, envelopeFrom: kind === 'automatic' ? '' : from, recipient: original.from.address };
}

/** Returns the references of a mail. If it has none, a single id in In-Reply-To takes their place (RFC 5322, section 3.6.4). */
function listAncestors({ references, inReplyTo }: ParsedMail): string[] {
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

/** How a simulated recipient replies to the message: like a vacation program, or like a person who quotes it. */
export type AnswerKind = 'automatic' | 'echo';

/** The behaviour of a simulated recipient for a message. */
export interface Script {
  outcome: Outcome;
  answer: AnswerKind | null;
}

/** Long enough to see the previous state, and short enough to wait for. */
const nextStepMs = 2_000;
const deferralsMax = 2;

/** Returns the domain of the simulated recipients. */
export function simulatorDomain(mailDomain: string): string {
  return `simulator.${mailDomain}`;
}

/** Returns the outcome of a message that a simulated recipient has received. */
export function simulatedDelivery(detail: string, complaintAfterMs?: number): Accepted {
  return {
    kind: 'accepted',
    providerMessageId: newOwnMessageId('simulator'),
    detail: `simulator: ${detail}`,
    final: true,
    ...(complaintAfterMs !== undefined && { complaintAfterMs }),
  };
}

function delivered(): Script {
  return { outcome: simulatedDelivery('delivered'), answer: null };
}

function refused(
  reply: { scope: 'recipient' | 'message'; code: number; enhanced: string; isSoft?: true },
  text: string,
): Script {
  return {
    outcome: { kind: 'rejected', ...reply, detail: `${reply.code} ${reply.enhanced} simulator: ${text}` },
    answer: null,
  };
}

const deferred: Script = {
  outcome: {
    kind: 'deferred',
    cause: 'recipient',
    code: 451,
    enhanced: '4.7.1',
    detail: '451 4.7.1 simulator: try again in a moment',
    retryAfterMs: nextStepMs,
  },
  answer: null,
};

const scripts = new Map<string, (attempt: number) => Script>([
  ['success', delivered],
  ['bounce', () => refused({ scope: 'recipient', code: 550, enhanced: '5.1.1' }, 'no such mailbox')],
  [
    'softbounce',
    () => refused({ scope: 'recipient', code: 452, enhanced: '4.2.2', isSoft: true }, 'the mailbox is full'),
  ],
  ['complaint', () => ({ outcome: simulatedDelivery('delivered', nextStepMs), answer: null })],
  ['reject', () => refused({ scope: 'message', code: 554, enhanced: '5.7.1' }, 'the message is refused')],
  ['defer', (attempt) => (attempt <= deferralsMax ? deferred : delivered())],
  ['autoreply', () => ({ outcome: simulatedDelivery('delivered and answered'), answer: 'automatic' })],
  ['echo', () => ({ outcome: simulatedDelivery('delivered and answered'), answer: 'echo' })],
]);

/** The names that simulated recipients have, with or without a plus tag. */
export const simulatedNames = [...scripts.keys()];

/** Returns whether an address is in the domain of the simulated recipients but is not one of them. */
export function isUnknownToSimulator(address: string, mailDomain: string): boolean {
  return domainOf(address) === simulatorDomain(mailDomain) && !scripts.has(scriptName(address));
}

function scriptName(address: string): string {
  const bare = stripPlusTag(address);
  return bare.slice(0, bare.lastIndexOf('@'));
}

/** A reply to everybody may have a recipient that the sender did not write. */
const unknown = refused({ scope: 'recipient', code: 550, enhanced: '5.1.1' }, 'no such address');

/**
 * Returns what the simulated recipient with this address does at the given attempt. An address with a different plus tag is a different
 * recipient.
 */
export function findScript(address: string, attempt: number): Script {
  return scripts.get(scriptName(address))?.(attempt) ?? unknown;
}
