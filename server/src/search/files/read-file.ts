import { decodeText } from '../../mail/parse/decode-body.ts';
import { detectUtf16, type FileKind, kindOfBytes } from './file-kind.ts';
import { type FileText, fileLimits, withoutText, withText } from './file-text.ts';

/** The readers. What they need is loaded with the first file that needs it. */
const readers: Record<FileKind, (bytes: Buffer) => Promise<FileText>> = {
  pdf: async (bytes) => (await import('./read-pdf.ts')).readPdf(bytes),
  office: async (bytes) => (await import('./read-office.ts')).readOffice(bytes),
  html: async (bytes) => withText(await readMarkup(decodeFile(bytes))),
  mail: readMail,
  text: async (bytes) => withText(decodeFile(bytes)),
};

/** Returns the text of a file. `claimed` is what its name and media type say. A hostile file can take any time and memory. */
export async function readFile(bytes: Buffer, claimed: FileKind): Promise<FileText> {
  if (bytes.length === 0) return withoutText('empty');
  if (bytes.length > fileLimits.bytesMax) return withoutText('too_large');
  const kind = kindOfBytes(bytes, claimed);
  if (!kind) return withoutText('unsupported');
  try {
    return await readers[kind](bytes);
  } catch {
    return withoutText('failed');
  }
}

/** Returns the text of a mail that was attached to another one: its subject, its author and its body, without its own attachments. */
async function readMail(bytes: Buffer): Promise<FileText> {
  const { parseMail } = await import('../../mail/parse/parse-mail.ts');
  const mail = await parseMail(bytes, {});
  if ('failed' in mail) return withoutText('failed');
  const body = mail.text ?? (await readMarkup(mail.html ?? ''));
  return withText([mail.subject, mail.from?.name, mail.from?.address, body].filter(Boolean).join('\n'));
}

async function readMarkup(html: string): Promise<string> {
  return (await import('../../mail/parse/html-to-plain-text.ts')).htmlToPlainText(html);
}

/** More bytes than the longest text that is kept has, even with tags around each word. */
const bytesMax = 20 * fileLimits.textLengthMax;

/** Returns the beginning of a file as text: UTF-16 if it has a byte order mark or looks like it, UTF-8, or otherwise windows-1252. */
function decodeFile(bytes: Buffer): string {
  const head = bytes.subarray(0, bytesMax);
  const utf16 = detectUtf16(head);
  return utf16 ? new TextDecoder(utf16).decode(head) : decodeText(head, '').replace(/^\ufeff/, '');
}
