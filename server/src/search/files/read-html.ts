import { htmlToPlainText } from '../../mail/parse/html-to-plain-text.ts';
import { type FileText, withText } from './file-text.ts';
import { decodeFile } from './read-plain-text.ts';

/** Returns the text of an HTML file. */
export function readHtml(bytes: Buffer): FileText {
  return withText(htmlToPlainText(decodeFile(bytes)));
}
