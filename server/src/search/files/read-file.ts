import { type FileKind, kindOfBytes } from './file-kind.ts';
import { type FileText, fileLimits, withoutText } from './file-text.ts';

/** The readers, which are loaded with the first file that needs them. */
const readers: Record<FileKind, (bytes: Buffer) => Promise<FileText>> = {
  pdf: async (bytes) => (await import('./read-pdf.ts')).readPdf(bytes),
  office: async (bytes) => (await import('./read-office.ts')).readOffice(bytes),
  html: async (bytes) => (await import('./read-html.ts')).readHtml(bytes),
  mail: async (bytes) => (await import('./read-mail.ts')).readMail(bytes),
  text: async (bytes) => (await import('./read-plain-text.ts')).readPlainText(bytes),
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
