import { decodeText } from '../../mail/parse/decode-body.ts';
import { utf16Of } from './file-kind.ts';
import { type FileText, fileLimits, withText } from './file-text.ts';

/** More bytes than the longest text that is kept has, even with tags around each word. */
const bytesMax = 20 * fileLimits.textLengthMax;

/** Returns the text of a file without markup, such as CSV or Markdown. */
export function readPlainText(bytes: Buffer): FileText {
  return withText(decodeFile(bytes));
}

/** Returns the beginning of a file as text: UTF-16 if it has a byte order mark or looks like it, UTF-8, or otherwise windows-1252. */
export function decodeFile(bytes: Buffer): string {
  const head = bytes.subarray(0, bytesMax);
  const utf16 = utf16Of(head);
  return utf16 ? new TextDecoder(utf16).decode(head) : decodeText(head, '').replace(/^\ufeff/, '');
}
