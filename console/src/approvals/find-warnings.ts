import type { Approval, HiddenPart } from '@postrider/contract/console';
import { proveSender } from '../mail/message/proof.ts';
import { doTextsDiffer } from './compare-texts.ts';
import { type MisleadingLink, misleadingLinks, type ShownLink } from './misleading-links.ts';
import { type MisnamedFile, misnamedFiles } from './misnamed-files.ts';

/** The visible parts of an HTML text, as far as warnings need them. */
export interface ShownHtml {
  text: string;
  links: ShownLink[];
}

/** A point that people should check before they approve. */
export type Warning =
  /** Some readers see more, or less, than the page shows. */
  | { kind: 'hidden'; parts: HiddenPart[] }
  /** The original message asked for replies to somebody other than its writer. */
  | { kind: 'diverted'; address: string; writer: string }
  /** Replies to this message would not come back to the inbox. */
  | { kind: 'answers_elsewhere'; addresses: string[] }
  /** Nobody knows who wrote the original message. */
  | { kind: 'unproven_writer'; writer: string }
  /** Recipients that the original message does not name. */
  | { kind: 'added'; addresses: string[] }
  | { kind: 'no_text' }
  | { kind: 'texts_differ' }
  | { kind: 'links'; links: MisleadingLink[] }
  | { kind: 'files'; files: MisnamedFile[] };

type Checked = Pick<Approval, 'answers' | 'correspondents' | 'inbox_address'> & {
  message: Pick<Approval['message'], 'body_text' | 'reply_to_addrs' | 'attachments'>;
};

/**
 * Returns the points that people should check before they approve a message, most serious first. `html` is null for a message without HTML,
 * and `hidden` is what its page does not show to everyone.
 */
export function findWarnings(
  approval: Checked,
  html: ShownHtml | null,
  hidden: HiddenPart[] = [],
): Warning[] {
  const files = misnamedFiles(approval.message.attachments);
  return [
    ...(hidden.length > 0 ? [{ kind: 'hidden', parts: hidden } as const] : []),
    ...warningsOfAddresses(approval),
    ...warningsOfTexts(approval.message.body_text, html),
    ...(files.length > 0 ? [{ kind: 'files', files } as const] : []),
  ];
}

function warningsOfAddresses({ answers, correspondents, inbox_address, message }: Checked): Warning[] {
  const warnings: Warning[] = [];
  for (const { address, reply_to_of } of correspondents)
    if (reply_to_of !== null) warnings.push({ kind: 'diverted', address, writer: reply_to_of });
  const elsewhere = message.reply_to_addrs.filter((address) => !isSame(address, inbox_address));
  if (elsewhere.length > 0) warnings.push({ kind: 'answers_elsewhere', addresses: elsewhere });
  if (answers === null) return warnings;
  const proof = proveSender(answers);
  if (proof !== null && proof.level !== 'proven')
    warnings.push({ kind: 'unproven_writer', writer: answers.from_addr });
  const { from_addr, reply_to_addrs, to_addrs, cc_addrs, bcc_addrs } = answers;
  const known = [from_addr, ...reply_to_addrs, ...to_addrs, ...cc_addrs, ...bcc_addrs, inbox_address];
  const added = correspondents
    .map(({ address }) => address)
    .filter((address) => !known.some((one) => isSame(one, address)));
  if (added.length > 0) warnings.push({ kind: 'added', addresses: added });
  return warnings;
}

function warningsOfTexts(plain: string | null, html: ShownHtml | null): Warning[] {
  if (html === null) return [];
  const links = misleadingLinks(html.links);
  const warnings: Warning[] = links.length > 0 ? [{ kind: 'links', links }] : [];
  if (plain === null || plain.trim() === '')
    return html.text.trim() === '' ? warnings : [...warnings, { kind: 'no_text' }];
  return doTextsDiffer(html.text, plain) ? [...warnings, { kind: 'texts_differ' }] : warnings;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
