import { htmlToPlainText } from '../../mail/parse/html-to-plain-text.ts';
import { parseMail } from '../../mail/parse/parse-mail.ts';
import { type FileText, withoutText, withText } from './file-text.ts';

/** Returns the text of a mail that was attached to another one: its subject, its author and its body, without its own attachments. */
export async function readMail(bytes: Buffer): Promise<FileText> {
  const mail = await parseMail(bytes, {});
  if ('failed' in mail) return withoutText('failed');
  const body = mail.text ?? htmlToPlainText(mail.html ?? '');
  return withText([mail.subject, mail.from?.name, mail.from?.address, body].filter(Boolean).join('\n'));
}
