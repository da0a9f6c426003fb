import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A mail of the disk, with the bytes that it has on its way. */
export interface FileMail {
  file: string;
  raw: Buffer;
}

/** Mail that nobody here wrote, beside the checkout unless told where; null where it is not. */
export const corpusFolder = (): string | null => {
  const beside = fileURLToPath(new URL('../../../../shared/corpus/mail', import.meta.url));
  const folder = process.env.POSTRIDER_TEST_CORPUS ?? beside;
  return existsSync(folder) ? folder : null;
};

/** Mail that is part of the tests. */
export const fixturesFolder = fileURLToPath(new URL('../fixtures/mail', import.meta.url));

/** Every mail below a folder, by name. */
export const readMails = (folder: string): FileMail[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.eml'))
    .sort()
    .map((file) => ({ file, raw: asSent(readFileSync(join(folder, file))) }));

/** Gives every line its CRLF, the last one too, as the mail has it on its way (RFC 5321, section 2.3.8). */
export const asSent = (stored: Buffer): Buffer => {
  const text = stored.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n');
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
};

/** The content as it goes over the wire: dots doubled at the start of a line, and the end. It must end with a CRLF, or be empty. */
export const dotStuffed = (raw: Buffer): Buffer =>
  Buffer.from(`${raw.toString('latin1').replace(/(^|\r\n)\./g, '$1..')}.\r\n`, 'latin1');
