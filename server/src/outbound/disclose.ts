import type { Disclosure } from '@postrider/contract';
import { type Actor, actorOf } from '../context.ts';
import { addShownLine } from './add-shown-line.ts';
import type { Outgoing } from './outbound-record.ts';

/** The header and the line that tell recipients that an AI wrote a message. */
export const disclosureHeader = 'X-AI-Generated';
export const disclosureLine = 'This message was written by an AI.';

/**
 * Returns a message that tells its recipients that an AI wrote it, as its workspace wants, unless a person did. Who sends it makes no
 * difference, and a header of the sender does not hide it.
 */
export function disclose(outgoing: Outgoing, disclosure: Disclosure, sender: Actor): Outgoing {
  const writer = outgoing.writerId ? actorOf(outgoing.writerId) : sender;
  if (writer.kind === 'person') return outgoing;
  if (disclosure === 'header') {
    const others = Object.entries(outgoing.headers).filter(
      ([name]) => name.toLowerCase() !== disclosureHeader.toLowerCase(),
    );
    return { ...outgoing, headers: { ...Object.fromEntries(others), [disclosureHeader]: 'true' } };
  }
  if (disclosure !== 'footer') return outgoing;
  const { text, html } = outgoing;
  const hasText = text !== null || html === null;
  return {
    ...outgoing,
    text: hasText ? `${(text ?? '').trimEnd()}\n\n${disclosureLine}\n`.trimStart() : null,
    html: html === null ? null : addShownLine(html, disclosureLine),
  };
}
