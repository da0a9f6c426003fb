import { cutBytes } from '../../lib/clean-text.ts';
import { domainOf } from '../../lib/email-address.ts';
import { sha256 } from '../../lib/sha256.ts';
import { composeAny } from '../compose/compose-large.ts';
import type { OutgoingMail } from '../compose/compose-mail.ts';
import { keepReferences } from '../compose/header-fields.ts';
import { replySubject } from '../compose/subject-prefix.ts';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { AnswerKind } from './simulator-scripts.ts';

/** A mail that answers another one, ready to be received. */
export interface Answer {
  raw: Buffer;
  envelopeFrom: string;
  recipient: string;
}

const quotedBytesMax = 65_536;

/**
 * What the simulated recipient `from` answers to a message; null to one that nobody may answer. The same bytes for the same
 * message, so that an answer which is given again after a crash is known as a repetition where it arrives.
 */
export async function composeAnswer(
  kind: AnswerKind,
  from: string,
  original: ParsedMail,
): Promise<Answer | null> {
  // Two automata that answer each other would never stop (RFC 3834, section 2).
  if (original.autoSubmitted || original.from === null) return null;
  const id = sha256(`${from} ${original.messageId}`).toString('hex').slice(0, 32);
  const raw = await composeAny({
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

/** RFC 5322, section 3.6.4. */
const ancestorsOf = ({ references, inReplyTo }: ParsedMail): string[] =>
  references.length === 0 && inReplyTo.length === 1 ? inReplyTo : references;

type Content = Pick<OutgoingMail, 'subject' | 'text' | 'autoReplied'>;

/** By RFC 3834, sections 3.1.5 and 5. */
const vacation = ({ subject }: ParsedMail): Content => ({
  subject: `Auto: ${subject}`,
  text: 'I am out of the office and will read your message when I am back.\n',
  autoReplied: true,
});

const echo = ({ subject, text, date, from }: ParsedMail): Content => {
  const quoted = cutBytes(text ?? '', quotedBytesMax)
    .text.trimEnd()
    .replace(/^/gm, '> ');
  const heading = `On ${(date ?? new Date(0)).toUTCString()}, ${from?.address} wrote:`;
  return {
    subject: replySubject(subject),
    text: `Your message arrived.\n\n${heading}\n${quoted}\n`,
  };
};
