import { brand } from '@postrider/contract';
import { escapeHtml } from '../lib/escape-html.ts';
import type { OutgoingMail } from '../mail/compose/compose-mail.ts';
import type { LinkMail, PeopleMail } from './mail-people.ts';

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
      after: 'The link works once. If you do not know the sender, you can ignore this mail.',
    }),
  };
}

function writeReset(link: string): Written {
  return {
    subject: `A new password for ${brand.product}`,
    ...bodies({
      before: `Somebody has asked for a new password for your account on ${brand.product}. Open this link within an hour to choose one:`,
      link,
      after:
        'The link works once. If it was not you who asked, you can ignore this mail: nothing has changed.',
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
export function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}
