import { brand } from '@postrider/contract';
import { escapeHtml } from '../lib/texts.ts';
import type { OutgoingMail } from '../mail/compose/compose-mail.ts';
import type { HeldMail, LinkMail, PeopleMail } from './queue-people-mail.ts';

/** The words of a mail to a person. */
export type Written = Required<Pick<OutgoingMail, 'subject' | 'text' | 'html'>>;

/** Returns the words of a mail with a link. Names are on one line in it, whatever they contain. */
export function writeMail(mail: LinkMail, link: string): Written {
  return mail.kind === 'invitation' ? writeInvitation(mail, link) : writeReset(link);
}

function writeInvitation(
  { workspace, invitedBy }: Extract<PeopleMail, { kind: 'invitation' }>,
  link: string,
): Written {
  const name = onOneLine(workspace);
  return {
    subject: `Invitation to the workspace ${name} on ${brand.product}`,
    ...bodies({
      before: `${onOneLine(invitedBy)} invites you to the workspace “${name}” on ${brand.product}. Open this link within seven days to accept:`,
      link,
      after: 'The link works once. If you do not know the sender, you can ignore this email.',
    }),
  };
}

function writeReset(link: string): Written {
  return {
    subject: `A new password for ${brand.product}`,
    ...bodies({
      before: `Somebody has requested a new password for your account on ${brand.product}. Open this link within an hour to choose one:`,
      link,
      after: 'The link works once. If it was not you, you can ignore this email: nothing has changed.',
    }),
  };
}

function bodies({ before, link, after }: { before: string; link: string; after: string }) {
  const href = escapeHtml(link);
  const paragraphs = [escapeHtml(before), `<a href="${href}">${href}</a>`, escapeHtml(after)];
  return {
    text: `${before}\n\n${link}\n\n${after}\n`,
    html: paragraphs.map((paragraph) => `<p>${paragraph}</p>\n`).join(''),
  };
}

/** Returns a text on one line. A workspace may have any name, and a line break in a subject would begin another header field. */
function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

const addressesMax = 5;
const addressCharactersMax = 120;
const subjectCharactersMax = 200;
const textCharactersMax = 300;

/**
 * Returns the words of a mail about held messages. Agents wrote what it shows of them, perhaps to deceive the reader: each field is one
 * line of limited length, without HTML, and a URL in it is broken so that mail programs make no link of it.
 */
export function writeHeldMail({
  workspace,
  messages,
  more,
}: Extract<PeopleMail, { kind: 'approvals' }>): Written {
  const count = messages.length + more;
  const name = shown(workspace, subjectCharactersMax);
  const before = `${count === 1 ? 'A message waits' : `${count} messages wait`} for approval in the workspace “${name}” on ${brand.product}. Nothing is sent until somebody approves it. Each link shows a whole message; only what you do on its page decides.`;
  const after = [
    ...(more > 0 ? [`${more} more are in the console.`] : []),
    'Do not pass a link on: it decides in your name. It works until 72 hours after the message was held. Once somebody has decided, it only shows the decision. In the console, you can turn these emails off in your account.',
  ];
  const lists = messages.map(writeLines);
  return {
    subject: `${count === 1 ? 'A message waits' : `${count} messages wait`} for approval in “${name}”`,
    text: [
      before,
      ...lists.map((lines) => lines.map(({ label, value }) => `${label}: ${value}`).join('\n')),
      ...after,
    ]
      .map((paragraph) => `${paragraph}\n`)
      .join('\n'),
    html: [escapeHtml(before), ...lists.map(linesToHtml), ...after.map(escapeHtml)]
      .map((paragraph) => `<p>${paragraph}</p>\n`)
      .join(''),
  };
}

interface Line {
  label: string;
  value: string;
  isLink?: boolean;
}

function writeLines({ from, to, subject, text, link }: HeldMail): Line[] {
  const others = to.length - addressesMax;
  const addresses = to.slice(0, addressesMax).map((address) => shown(address, addressCharactersMax));
  return [
    { label: 'From', value: shown(from, addressCharactersMax) },
    { label: 'To', value: `${addresses.join(', ')}${others > 0 ? ` and ${others} more` : ''}` },
    { label: 'Subject', value: shown(subject, subjectCharactersMax) },
    { label: 'Text', value: shown(text, textCharactersMax) || '(no plain text)' },
    { label: 'Review it', value: link, isLink: true },
  ];
}

function linesToHtml(lines: Line[]): string {
  return lines
    .map(({ label, value, isLink }) => {
      const escaped = escapeHtml(value);
      return `${label}: ${isLink ? `<a href="${escaped}">${escaped}</a>` : escaped}`;
    })
    .join('<br>\n');
}

function shown(text: string, charactersMax: number): string {
  const line = onOneLine(text)
    .replaceAll('://', ':// ')
    .replaceAll(/\bwww\./gi, 'www .')
    // The path after the name of a host.
    .replaceAll(/(?<=\.[\p{L}\d-]{2,})\//gu, ' /');
  const characters = [...line];
  return characters.length <= charactersMax ? line : `${characters.slice(0, charactersMax).join('')}…`;
}
