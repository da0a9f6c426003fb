import { bodyOf, type MadeMail, mailDomain, senderOf } from '../corpus/made-mail.ts';
import { escapeXml, makeFile } from '../files/make-file.ts';

/** Returns the Message-ID of a mail that comes in. */
export function messageIdOf(id: string): string {
  return `<${id.replace('/', '.')}@corpus.example>`;
}

/** Returns the mail for nodemailer: with its files, and with HTML if firms usually send it. */
export function composeMail(mail: MadeMail) {
  const body = bodyOf(mail);
  return {
    from: senderOf(mail),
    to: `${mail.inbox}@${mailDomain}`,
    subject: mail.subject,
    date: mail.at,
    messageId: messageIdOf(mail.id),
    attachments: mail.files.map((file) => ({ filename: file.name, content: makeFile(file) })),
    ...(mail.answers === null
      ? {}
      : { inReplyTo: messageIdOf(mail.answers), references: [messageIdOf(mail.conversation)] }),
    ...(isOnlyHtml(mail) ? {} : { text: body }),
    ...(hasHtml(mail) ? { html: htmlOf(mail.subject, body) } : {}),
  };
}

function hasHtml({ topic }: MadeMail): boolean {
  return ['newsletter', 'order', 'shipping', 'invoice'].includes(topic);
}

/** Many newsletters have no plain text. */
function isOnlyHtml({ topic, at }: MadeMail): boolean {
  return topic === 'newsletter' && at.getTime() % 3 === 0;
}

function htmlOf(subject: string, body: string): string {
  const paragraphs = body.split('\n').map((line) => `<p style="margin:0 0 8px">${escapeXml(line)}</p>`);
  return `<!doctype html><html><head><title>${escapeXml(subject)}</title><style>p { color: #222 }</style></head><body><table><tr><td>${paragraphs.join('\n')}</td></tr></table></body></html>`;
}
