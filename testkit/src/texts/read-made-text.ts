import { htmlToPlainText } from '../../../server/src/mail/parse/html-to-plain-text.ts';

/** Returns the text that the server reads from HTML. */
export function readMadeText(html: string): string {
  return htmlToPlainText(html);
}
